import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pino from 'pino';
import type { ClusterClient } from '../../../cluster/client.ts';
import type { Digest } from '../../../contracts/digest.ts';
import { DigestQueue } from '../../../watcher/digest/digest-queue.ts';
import { backOff } from '../../../watcher/digest/throttle.ts';
import { ProgressMonitor } from '../../../watcher/progress-monitor.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import {
  type AnchorChoice,
  aNode,
  anAnchor,
  aPod,
  ended,
  failed,
  type NodeChoice,
  READY,
  unschedulable,
} from '../fixtures.ts';

describe('the sender', () => {
  let sent: { at: number; digest: Digest }[];
  let answer: () => Promise<'delivered' | 'gone'>;
  let gone: string[];
  let book: JobStore;
  let sender: DigestQueue;
  let startedAt: number;
  let resourceVersion: number;

  beforeEach(async () => {
    jest.useFakeTimers();
    [sent, gone, resourceVersion, startedAt] = [[], [], 1, Date.now()];
    answer = async () => 'delivered';
    const nothing = {} as ClusterClient; // no log is read here
    const tools = { cluster: nothing, log: pino({ level: 'silent' }), onProgress: () => undefined };
    const listening = new ProgressMonitor(tools, new AbortController().signal);
    book = new JobStore((job, urgent) => {
      const isAwaited = listening.update(job);
      sender.changed(job, urgent || isAwaited);
    });
    sender = new DigestQueue({
      send: (_, digest) => {
        sent.push({ at: Date.now() - startedAt, digest });
        return answer();
      },
      digest: (job, anchor) => book.digestOf(job, anchor),
      onWorkflowNotFound: ({ uid }) => gone.push(uid),
      concurrency: 2,
    });
    sender.start([]);
  });

  afterEach(async () => {
    await sender.stop();
    jest.useRealTimers();
  });

  const anchor = (choice: AnchorChoice = {}) => book.anchors.changed(anAnchor(choice), resourceVersion++);
  const pod = (choice: Parameters<typeof aPod>[0]) => book.pods.changed(aPod(choice), resourceVersion++);
  const removePod = (choice: Parameters<typeof aPod>[0]) =>
    book.pods.deleted(aPod(choice), resourceVersion++);
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const times = () => sent.map(({ at }) => at);

  it('tells of a first change at once, and of further ones a second later, together', async () => {
    anchor();
    await pass(0);
    pod({ index: 0 });
    pod({ index: 1 });
    await pass(999);
    expect(times()).toEqual([0]);
    await pass(1);
    expect(times()).toEqual([0, 1_000]);
    expect(sent[1]?.digest.roles.worker?.unscheduled).toBe(2);
  });

  it('keeps pods until their anchor is known', async () => {
    pod({ index: 0 });
    await pass(5_000);
    expect(sent).toEqual([]);
    anchor();
    await pass(0);
    expect(sent[0]?.digest.attempt).toBe(1);
  });

  it.each([
    ['a pod fails', { index: 0, status: failed(ended('pytorch', 1)) }],
    ['the last pod is ready', { index: 0, status: READY }],
  ])('does not wait when %s, but keeps below five a second', async (_, change) => {
    anchor();
    pod({ index: 0 });
    await pass(0);
    pod(change);
    await pass(199);
    expect(times()).toEqual([0]);
    await pass(1);
    expect(times()).toEqual([0, 200]);
  });

  it('has one signal in flight, and then sends the newest', async () => {
    const first = Promise.withResolvers<'delivered'>();
    answer = () => first.promise;
    anchor();
    await pass(0);
    for (let index = 0; index < 5; index++) pod({ index });
    await pass(10_000);
    expect(sent).toHaveLength(1);
    answer = async () => 'delivered';
    first.resolve('delivered');
    await pass(0);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.digest.roles.worker?.unscheduled).toBe(5);
  });

  it('bounds the signals in flight over all jobs', async () => {
    answer = () => new Promise(() => undefined);
    for (const job of ['a', 'b', 'c']) anchor({ job, uid: job });
    await pass(1_000);
    expect(sent).toHaveLength(2);
    answer = async () => 'delivered';
    sender.stop = async () => undefined; // what is in flight here never ends
  });

  it('tells what looks the same once, when it has settled, for who waits for its resource version', async () => {
    anchor();
    pod({ index: 0, status: unschedulable('0/3 nodes') });
    await pass(0);
    pod({ index: 0, status: unschedulable('0/4 nodes') });
    await pass(2_999);
    expect(sent).toHaveLength(1);
    await pass(1);
    expect(sent).toHaveLength(2);
    expect(sent[1]!.digest.resourceVersions.pods).toBeGreaterThan(sent[0]!.digest.resourceVersions.pods);
    await pass(300_000);
    expect(sent).toHaveLength(2);
  });

  it('passes on words that keep changing once a minute', async () => {
    anchor();
    pod({ index: 0, status: unschedulable('0/3 nodes') });
    await pass(0);
    for (let second = 0; second < 120; second++) {
      pod({ index: 0, status: unschedulable(`0/3 nodes: try ${second}`) });
      await pass(1_000);
    }
    expect(times()).toEqual([0, 3_000, 63_000]);
    expect(sent[2]?.digest.waiting?.message).toBe('0/3 nodes: try 62');
  });

  describe('of a job that tells its progress', () => {
    const watch = { progress: { annotation: 'example.com/step' }, everyMs: 20_000 };
    const step = (value: string) => pod({ index: 0, annotations: { 'example.com/step': value } });

    beforeEach(async () => {
      anchor({ watch });
      pod({ index: 0 });
      await pass(0);
    });

    it('tells its first word as soon as may be, and later ones together, as often as it wants', async () => {
      await pass(60_000);
      for (let second = 0; second < 60; second++) {
        step(String(second));
        await pass(1_000);
      }
      // Once more when it has settled, as after all news.
      expect(times()).toEqual([0, 60_000, 63_000, 83_000, 103_000]);
      expect(sent.map(({ digest }) => digest.progress?.value)).toEqual([undefined, '0', '2', '22', '42']);
    });

    it('tells nothing while nothing is said', async () => {
      step('1');
      await pass(300_000);
      expect(times()).toEqual([0, 1_000]);
    });
  });

  describe('of a job on a node in trouble', () => {
    const node = (choice: NodeChoice) => book.nodes.handlers.changed(aNode(choice), resourceVersion++);

    beforeEach(async () => {
      anchor();
      node({});
      pod({ index: 0, node: 'gpu-1', status: READY });
      await pass(10_000);
      sent = [];
      startedAt = Date.now();
    });

    it('does not wait with it, and tells how far nodes were read', async () => {
      pod({ index: 1 });
      await pass(0);
      node({ ready: 'Unknown' });
      await pass(200);
      expect(times()).toEqual([0, 200]);
      expect(sent[1]?.digest).toMatchObject({
        resourceVersions: { nodes: resourceVersion - 1 },
        endangered: [{ pod: 'resnet-worker-0', node: 'gpu-1', trouble: 'NotReady' }],
      });
    });

    it('tells when it is over', async () => {
      node({ ready: 'Unknown' });
      await pass(5_000);
      node({});
      await pass(5_000);
      expect(sent.map(({ digest }) => digest.endangered?.length)).toEqual([1, undefined]);
    });

    it('says nothing of other nodes, or of a status that is only renewed', async () => {
      for (let second = 0; second < 60; second++) {
        node({});
        node({ name: 'gpu-2', ready: second % 2 ? 'True' : 'False' });
        await pass(1_000);
      }
      expect(sent).toEqual([]);
    });

    it('says nothing of nodes on which its pods have ended', async () => {
      pod({ index: 0, node: 'gpu-1', status: failed(ended('pytorch', 1)) });
      await pass(5_000);
      sent = [];
      node({ ready: 'Unknown' });
      await pass(60_000);
      expect(sent).toEqual([]);
    });
  });

  it('tells of a pod that was replaced by one that looks the same', async () => {
    anchor();
    pod({ index: 0, uid: 'old' });
    await pass(0);
    removePod({ index: 0, uid: 'old' });
    pod({ index: 0, uid: 'new' });
    await pass(1_000);
    expect(sent).toHaveLength(2);
  });

  it('tries again while Temporal is away, ever more slowly, and delivers only the newest', async () => {
    answer = () => Promise.reject(new Error('unavailable'));
    anchor();
    await pass(60_000);
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.length).toBeLessThan(20);
    pod({ index: 0 });
    answer = async () => 'delivered';
    await pass(20_000);
    const tries = sent.length;
    expect(sent.at(-1)?.digest.attempt).toBe(1);
    await pass(60_000);
    expect(sent).toHaveLength(tries);
  });

  it('leaves a workflow alone that is gone, until another run takes the job up', async () => {
    answer = async () => 'gone';
    anchor({ firstRunId: 'one' });
    pod({ index: 0 });
    await pass(0);
    pod({ index: 1 });
    await pass(10_000);
    expect(gone).toEqual(['anchor-1']);
    expect(sent).toHaveLength(1);
    answer = async () => 'delivered';
    anchor({ firstRunId: 'two' });
    await pass(0);
    expect(sent).toHaveLength(2);
  });

  it('says nothing about a job that is over', async () => {
    anchor({ phase: 'Completed' });
    pod({ index: 0 });
    book.anchors.deleted(anAnchor({ phase: 'Completed' }), resourceVersion++);
    await pass(10_000);
    expect(sent).toEqual([]);
  });

  it('says one last word when the anchor is deleted, also if that was missed on the stream', async () => {
    anchor();
    pod({ index: 0 });
    await pass(0);
    book.anchors.replaced([], resourceVersion++);
    await pass(200);
    removePod({ index: 0 });
    await pass(10_000);
    expect(sent.map(({ digest }) => digest.anchorDeleted)).toEqual([false, true]);
    expect(book.size).toEqual({ jobs: 0, pods: 0 });
  });

  it('sends nothing any more once stopped', async () => {
    anchor();
    await sender.stop();
    await pass(10_000);
    expect(sent).toEqual([]);
  });
});

it('the pause between tries doubles up to ten seconds', () => {
  expect([1, 2, 3, 6, 20].map((failures) => backOff(failures, 0.5))).toEqual([500, 1000, 2000, 10000, 10000]);
});
