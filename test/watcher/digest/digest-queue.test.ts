import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Digest } from '../../../contracts/digest.ts';
import type { PodStatus } from '../../../contracts/kubernetes.ts';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import type { JobTracker } from '../../../watcher/job-tracker.ts';
import type { JobStore } from '../../../watcher/store/job-store.ts';
import { aTracker } from '../a-tracker.ts';
import {
  type AnchorChoice,
  aNode,
  anAnchor,
  aPod,
  ended,
  failed,
  type NodeChoice,
  READY,
  SUCCEEDED,
  unschedulable,
} from '../fixtures.ts';

describe('the queue of digests', () => {
  let sent: { at: number; digest: Digest }[];
  let answer: () => Promise<'delivered' | 'gone'>;
  let gone: string[];
  let jobStore: JobStore;
  let tracker: JobTracker;
  let startedAt: number;
  let resourceVersion: number;

  beforeEach(async () => {
    jest.useFakeTimers();
    [sent, gone, resourceVersion, startedAt] = [[], [], 1, Date.now()];
    answer = async () => 'delivered';
    startWatcher();
    tracker.start();
  });

  /** With an empty store, as each new leader. The one before sends no more. */
  function startWatcher(): void {
    void tracker?.stop();
    tracker = aTracker({
      send: (_, digest) => {
        sent.push({ at: Date.now() - startedAt, digest });
        return answer();
      },
      concurrency: 2,
    });
    tracker.queue.on('result', ({ uid }, { is }) => {
      if (is === 'gone') gone.push(uid);
    });
    jobStore = tracker.jobs;
  }

  afterEach(async () => {
    await tracker.stop();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  const anchor = (choice: AnchorChoice = {}) =>
    jobStore.anchorsIn().changed(anAnchor(choice), resourceVersion++);
  const pod = (choice: Parameters<typeof aPod>[0]) =>
    jobStore.podsIn().changed(aPod(choice), resourceVersion++);
  const removePod = (choice: Parameters<typeof aPod>[0]) =>
    jobStore.podsIn().deleted(aPod(choice), resourceVersion++);
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const times = () => sent.map(({ at }) => at);

  it('holds the end of a pod until its last reports are read, but not for ever', async () => {
    anchor();
    pod({ status: READY });
    await pass(20_000);
    const before = sent.length;
    const job = jobStore.job({ namespace: 'default', uid: anAnchor().metadata.uid! })!;
    job.heldUntil = Date.now() + 2_000;
    pod({ status: SUCCEEDED });
    await pass(1_999);
    expect(sent.length).toBe(before);
    await pass(1);
    expect(sent.at(-1)?.digest.roles.worker?.succeeded).toBe(1);
  });

  it('sends nothing for a new job without pods, and counts of starting pods together', async () => {
    anchor({ milestones: '3' });
    await pass(10_000);
    pod({ index: 0 });
    await pass(1_000);
    pod({ index: 1 });
    await pass(4_999);
    expect(times()).toEqual([]);
    await pass(1);
    expect(times()).toEqual([16_000]);
    expect(sent[0]?.digest.roles.worker?.unscheduled).toBe(2);
  });

  it('sends the end of the last pod of a clean-up, unless the clean-up has seen it first', async () => {
    anchor({ milestones: '1', isEnding: true });
    pod({ index: 0, status: READY });
    await pass(20_000);
    const before = sent.length;
    removePod({ index: 0 });
    await pass(4_999);
    expect(sent).toHaveLength(before);
    await pass(1);
    expect(sent).toHaveLength(before + 1);
  });

  it('tells each minute that the anchor of a job with all its pods does not say Running, until it does', async () => {
    anchor({ milestones: '1' });
    pod({ index: 0, status: READY });
    await pass(200_000);
    expect(times()).toEqual([0, 60_000, 120_000, 180_000]);
    expect(sent.map(({ digest }) => digest.isUnrecorded)).toEqual([undefined, true, true, true]);
    anchor({ milestones: '1', phase: 'Running' });
    await pass(200_000);
    expect(sent).toHaveLength(4);
  });

  it('tells that also of a job that reports its progress more often', async () => {
    anchor({
      milestones: '1',
      decidingPod: 'resnet-worker-0',
      watch: { progress: { annotation: 'example.com/step' }, everyMs: 10_000 },
    });
    for (let step = 0; step < 20; step++) {
      pod({ index: 0, status: READY, annotations: { 'example.com/step': String(step) } });
      await pass(10_000);
    }
    const told = sent.filter(({ digest }) => digest.isUnrecorded).map(({ at }) => at);
    expect(sent.length).toBeGreaterThan(10);
    expect(told.length).toBe(3);
  });

  it('tells nothing of that while the job has not reached all its milestones', async () => {
    anchor({ milestones: '1,2' });
    pod({ index: 0, status: READY });
    pod({ index: 1 });
    await pass(50_000);
    const before = sent.length;
    await pass(200_000);
    expect(sent).toHaveLength(before);
  });

  it('sends nothing in the middle of a wave', async () => {
    anchor({ milestones: '40' });
    for (let index = 0; index < 40; index++) pod({ index });
    await pass(5_000);
    for (let index = 0; index < 40; index++) {
      pod({ index, status: READY, node: 'gpu-1' });
      await pass(25);
    }
    expect(times()).toEqual([5_000, 5_975]);
    expect(sent[1]?.digest.roles.worker?.ready).toBe(40);
  });

  it('sends nothing for an ended job, unless its clean-up takes long', async () => {
    anchor({ milestones: '2', decidingPod: 'resnet-worker-0' });
    pod({ index: 0, status: READY });
    pod({ index: 1, status: READY });
    await pass(0);
    pod({ index: 0, status: SUCCEEDED });
    await pass(200);
    pod({ index: 1, status: failed(ended('pytorch', 1)) });
    removePod({ index: 1 });
    await pass(15_000);
    expect(times()).toEqual([0, 200, 15_200]);
  });

  it('keeps pods until their anchor is known', async () => {
    pod({ index: 0 });
    await pass(5_000);
    expect(sent).toEqual([]);
    anchor();
    await pass(5_000);
    expect(sent[0]?.digest.attempt).toBe(1);
  });

  it.each([
    ['a pod fails', { index: 0, status: failed(ended('pytorch', 1)) }],
    ['the last pod is ready', { index: 0, status: READY }],
  ])('does not wait when %s, but stays below five a second', async (_, change) => {
    anchor();
    pod({ index: 0 });
    await pass(5_000);
    pod(change);
    await pass(199);
    expect(times()).toEqual([5_000]);
    await pass(1);
    expect(times()).toEqual([5_000, 5_200]);
  });

  it('has one signal in progress, and then sends the newest', async () => {
    const first = Promise.withResolvers<'delivered'>();
    answer = () => first.promise;
    anchor({ milestones: '5' });
    pod({ index: 0 });
    await pass(5_000);
    for (let index = 1; index < 5; index++) pod({ index });
    await pass(10_000);
    expect(sent).toHaveLength(1);
    answer = async () => 'delivered';
    first.resolve('delivered');
    await pass(0);
    expect(sent).toHaveLength(2);
    expect(sent[1]?.digest.roles.worker?.unscheduled).toBe(5);
  });

  it('bounds the signals in progress over all jobs', async () => {
    answer = () => new Promise(() => undefined);
    for (const job of ['a', 'b', 'c']) {
      anchor({ job, uid: job });
      pod({ job, owner: job, uid: `pod of ${job}`, index: 0, status: READY });
    }
    await pass(1_000);
    expect(sent).toHaveLength(2);
    answer = async () => 'delivered';
    tracker.queue.stop = async () => undefined; // what is in flight here never ends
  });

  it('sends an unchanged digest once, when it has settled, for a workflow that waits for its resource version', async () => {
    anchor();
    pod({ index: 0, status: unschedulable('0/3 nodes') });
    await pass(5_000);
    pod({ index: 0, status: unschedulable('0/4 nodes') });
    await pass(4_999);
    expect(sent).toHaveLength(1);
    await pass(1);
    expect(sent).toHaveLength(2);
    expect(sent[1]!.digest.resourceVersions.pods).toBeGreaterThan(sent[0]!.digest.resourceVersions.pods);
    await pass(300_000);
    expect(sent).toHaveLength(2);
  });

  it('sends changing messages once a minute', async () => {
    anchor();
    pod({ index: 0, status: unschedulable('0/3 nodes') });
    await pass(0);
    for (let second = 0; second < 120; second++) {
      pod({ index: 0, status: unschedulable(`0/3 nodes: try ${second}`) });
      await pass(1_000);
    }
    expect(times()).toEqual([300, 11_000, 71_000]);
    expect(sent[2]?.digest.waiting?.[0]?.message).toBe('0/3 nodes: try 70');
  });

  describe('for a job that reports progress', () => {
    const watch = { progress: { annotation: 'example.com/step' }, everyMs: 20_000 };
    const step = (value: string) =>
      pod({ index: 0, status: READY, annotations: { 'example.com/step': value } });

    beforeEach(async () => {
      anchor({ watch });
      pod({ index: 0, status: READY });
      await pass(0);
    });

    it('sends the first report as soon as possible, and later ones together, as often as configured', async () => {
      await pass(60_000);
      for (let second = 0; second < 60; second++) {
        step(String(second));
        await pass(1_000);
      }
      // Once more when it has settled, as after all news.
      expect(times()).toEqual([0, 60_300, 63_300, 83_300, 103_300]);
      expect(sent.map(({ digest }) => digest.progress?.value)).toEqual([undefined, '0', '3', '23', '43']);
    });

    it('sends nothing without a new report', async () => {
      step('1');
      await pass(300_000);
      expect(times()).toEqual([0, 1_000]);
    });
  });

  describe('for a job on a node in trouble', () => {
    const node = (choice: NodeChoice) => jobStore.nodes.handlers.changed(aNode(choice), resourceVersion++);

    beforeEach(async () => {
      anchor();
      node({});
      pod({ index: 0, node: 'gpu-1', status: READY });
      await pass(10_000);
      sent = [];
      startedAt = Date.now();
    });

    it('sends it at once, with the resource version of nodes', async () => {
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

    it('sends the end of the trouble', async () => {
      node({ ready: 'Unknown' });
      await pass(5_000);
      node({});
      await pass(5_000);
      expect(sent.map(({ digest }) => digest.endangered?.length)).toEqual([1, undefined]);
    });

    it('ignores other nodes, and a status that is only renewed', async () => {
      for (let second = 0; second < 60; second++) {
        node({});
        node({ name: 'gpu-2', ready: second % 2 ? 'True' : 'False' });
        await pass(1_000);
      }
      expect(sent).toEqual([]);
    });

    it('ignores nodes on which its pods have ended', async () => {
      pod({ index: 0, node: 'gpu-1', status: failed(ended('pytorch', 1)) });
      await pass(5_000);
      sent = [];
      node({ ready: 'Unknown' });
      await pass(60_000);
      expect(sent).toEqual([]);
    });
  });

  it('sends a pod that was replaced by one with the same state', async () => {
    anchor();
    pod({ index: 0, uid: 'old' });
    await pass(5_000);
    removePod({ index: 0, uid: 'old' });
    pod({ index: 0, uid: 'new' });
    await pass(1_000);
    expect(sent).toHaveLength(2);
  });

  it('retries while Temporal is unavailable, more and more slowly, and delivers only the newest', async () => {
    answer = () => Promise.reject(new Error('unavailable'));
    anchor();
    pod({ index: 0, uid: 'old', attempt: 1 });
    await pass(60_000);
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.length).toBeLessThan(20);
    pod({ index: 0, uid: 'new', attempt: 2 });
    answer = async () => 'delivered';
    await pass(20_000);
    const tries = sent.length;
    expect(sent.at(-1)?.digest.attempt).toBe(2);
    await pass(60_000);
    expect(sent).toHaveLength(tries);
  });

  it('drops a closed workflow, until another one proves to be that of the job', async () => {
    answer = async () => 'gone';
    anchor({ firstRunId: 'one' });
    pod({ index: 0 });
    await pass(0);
    pod({ index: 1 });
    await pass(10_000);
    expect(gone).toEqual(['anchor-1']);
    expect(sent).toHaveLength(1);
    answer = async () => 'delivered';
    jobStore.anchorFound({ ...anchorFacts(anAnchor())!, workflowId: 'by-hand' });
    await pass(0);
    expect(sent).toHaveLength(2);
  });

  it('sends nothing for an ended job', async () => {
    anchor({ phase: 'Completed' });
    pod({ index: 0 });
    jobStore.anchorsIn().deleted(anAnchor({ phase: 'Completed' }), resourceVersion++);
    await pass(10_000);
    expect(sent).toEqual([]);
  });

  it('sends a last digest when the anchor is deleted, also if that was missed on the stream', async () => {
    anchor();
    pod({ index: 0 });
    await pass(5_000);
    jobStore.anchorsIn().replaced([], resourceVersion++);
    await pass(200);
    removePod({ index: 0 });
    await pass(10_000);
    expect(sent.map(({ digest }) => digest.anchorDeleted)).toEqual([false, true]);
    expect(jobStore.size).toEqual({ jobs: 0, pods: 0 });
  });

  describe('for a watcher that takes over', () => {
    const JOBS = 100;
    /** What an earlier watcher told of a job whose pod is ready. */
    let hash: string | undefined;

    beforeEach(async () => {
      anchor({ milestones: '1' });
      pod({ index: 0, status: READY });
      await pass(0);
      hash = sent[0]?.digest.hash;
      expect(hash).toMatch(/^[\w-]{16}$/);
    });

    /** Lists jobs with a pod each to a new watcher, and starts it. */
    function takeOver(anchorOf: (job: string) => AnchorChoice, statusOf: (job: string) => PodStatus): void {
      const jobs = Array.from({ length: JOBS }, (_, index) => `job-${index}`);
      const anchors = jobs.map((job, index) =>
        anAnchor({ job, uid: `uid-${index}`, milestones: '1', ...anchorOf(job) }),
      );
      const pods = jobs.map((job, index) =>
        aPod({ job, owner: `uid-${index}`, uid: `pod-${index}`, index: 0, status: statusOf(job) }),
      );
      [sent, startedAt] = [[], Date.now()];
      startWatcher();
      jobStore.anchorsIn().replaced(anchors, resourceVersion++);
      jobStore.podsIn().replaced(pods, resourceVersion++);
      tracker.start();
    }

    const sentAnchors = () => sent.map(({ digest }) => digest.anchor);

    it('sends failures first, and the rest over time', async () => {
      const { random } = Math;
      // Not less, or chance may have one of the rest go at once, too.
      jest.spyOn(Math, 'random').mockImplementation(() => 0.01 + 0.99 * random());
      takeOver(
        () => ({}),
        (job) => (job === 'job-77' ? failed(ended('pytorch', 1)) : unschedulable('0/3 nodes')),
      );
      await pass(0);
      expect(sentAnchors()[0]).toBe('uid-77');
      await pass(2_000);
      expect(sent.length).toBeGreaterThan(20);
      expect(sent.length).toBeLessThan(80);
      await pass(5_000);
      expect(new Set(sentAnchors()).size).toBe(JOBS);
    });

    it('sends nothing that the workflow knows according to its anchor', async () => {
      takeOver(
        () => ({ phase: 'Running', digestHash: hash }),
        (job) => (job === 'job-77' ? failed(ended('pytorch', 1)) : READY),
      );
      await pass(60_000);
      expect(sentAnchors()).toEqual(['uid-77']);
    });

    it('sends progress that the workflow may not know, once', async () => {
      const watch = { progress: { annotation: 'example.com/step' }, everyMs: 20_000 };
      const annotations = { 'example.com/step': '7' };
      [sent, startedAt] = [[], Date.now()];
      startWatcher();
      const known = anAnchor({ milestones: '1', watch, phase: 'Running', digestHash: hash });
      jobStore.anchorsIn().replaced([known], resourceVersion++);
      jobStore.podsIn().replaced([aPod({ index: 0, status: READY, annotations })], resourceVersion++);
      tracker.start();
      await pass(19_000);
      expect(sent).toEqual([]);
      await pass(2_000);
      expect(sent.map(({ digest }) => digest.progress?.value)).toEqual(['7']);
      await pass(120_000);
      expect(sent).toHaveLength(1);
    });

    it('sends at once that all pods are ready if the anchor says that the job starts', async () => {
      takeOver(
        (job) => ({ phase: job === 'job-77' ? 'Starting' : 'Running', digestHash: hash }),
        () => READY,
      );
      anchor({ job: 'job-77', uid: 'uid-77', milestones: '1', phase: 'Starting', digestHash: '' });
      await pass(0);
      expect(sentAnchors()).toEqual(['uid-77']);
    });

    it('sends a digest when the anchor turns out to be older than the workflow’s knowledge', async () => {
      takeOver(
        () => ({ phase: 'Running', digestHash: hash }),
        () => READY,
      );
      await pass(60_000);
      expect(sent).toEqual([]);
      anchor({ job: 'job-3', uid: 'uid-3', milestones: '1', phase: 'Running', digestHash: '' });
      await pass(1_000);
      expect(sentAnchors()).toEqual(['uid-3']);
    });
  });

  it('sends nothing any more once stopped', async () => {
    anchor();
    pod({ index: 0, status: READY });
    await tracker.stop();
    await pass(10_000);
    expect(sent).toEqual([]);
  });
});
