import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { ClusterClient, LogOptions } from '../../../cluster/client.ts';
import { ApiError } from '../../../cluster/errors.ts';
import type { Pod } from '../../../contracts/kubernetes.ts';
import type { WatchRules } from '../../../contracts/policy.ts';
import { Readiness } from '../../../leader/readiness.ts';
import type { JobTracker } from '../../../watcher/job-tracker.ts';
import type { JobStore } from '../../../watcher/store/job-store.ts';
import { eventually } from '../../eventually.ts';
import { aTracker } from '../a-tracker.ts';
import { anAnchor, aPod, RUNNING } from '../fixtures.ts';

const ANNOTATION: WatchRules = { progress: { annotation: 'example.com/step' } };
const LOG: WatchRules = { progress: { log: 'step=(\\d+)' } };

describe('a workflow that asks for the state of its job', () => {
  let leadership: AbortController;
  let jobs: JobStore;
  let tracker: JobTracker;
  /** Pods as the API server has them. */
  let stored: Pod[];
  /** As the node has it; those that are followed are told no more than that. */
  let lines: string[];
  let logRefusal: ApiError | undefined;
  let listRefusal: ApiError | undefined;
  let lists: number;
  let resourceVersion: number;
  let reopened: string[];
  let warnings: string[];

  beforeEach(() => {
    leadership = new AbortController();
    [stored, lines, lists, resourceVersion, reopened, warnings] = [[], [], 0, 1, [], []];
    [logRefusal, listRefusal] = [undefined, undefined];
    const readiness = new Readiness();
    readiness.streams.reopen = (stream) => void reopened.push(stream);
    tracker = aTracker(
      {
        cluster: { log: openLog, list } as unknown as ClusterClient,
        readiness,
        log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) }),
        send: async () => 'delivered',
        mostLogs: 1,
        pauses: { behindMs: 5, failedMs: 5 },
      },
      leadership.signal,
    );
    jobs = tracker.jobs;
  });

  afterEach(async () => {
    leadership.abort();
    await tracker.stop();
  });

  async function list() {
    lists++;
    if (listRefusal) throw listRefusal;
    return { items: stored, metadata: { resourceVersion: String(resourceVersion) } };
  }

  async function openLog(_: string, __: string, { follow, signal, tailLines }: LogOptions) {
    if (logRefusal) throw logRefusal;
    if (!follow) return [Buffer.from(lines.slice(tailLines === 1 ? -1 : 0).join(''))];
    return untilAborted(signal!);
  }

  async function* untilAborted(signal: AbortSignal): AsyncGenerator<Buffer> {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    yield* [];
  }

  const anchor = (watch: WatchRules | undefined, asked?: number, job = 'a') => {
    const { metadata, ...rest } = anAnchor({ job, uid: job, watch });
    const annotations = {
      ...metadata.annotations,
      ...(asked ? { 'signalbox.dev/asked': String(asked) } : {}),
    };
    jobs.anchorsIn().changed({ ...rest, metadata: { ...metadata, annotations } }, resourceVersion++);
  };
  /** A change in the API server. */
  const store = (step: string | undefined, job = 'a') => {
    const annotations: Record<string, string> = step === undefined ? {} : { 'example.com/step': step };
    const { metadata, ...rest } = aPod({ job, owner: job, status: RUNNING, annotations });
    const made = { ...rest, metadata: { ...metadata, resourceVersion: String(resourceVersion++) } };
    stored = [...stored.filter(({ metadata: { uid } }) => uid !== metadata.uid), made];
    return made;
  };
  /** A change that the stream delivers. */
  const pod = (step: string | undefined, job = 'a') => {
    const made = store(step, job);
    jobs.podsIn().changed(made, Number(made.metadata.resourceVersion));
  };
  const digest = (uid = 'a') => {
    const job = jobs.job({ namespace: 'default', uid })!;
    return jobs.digestOf(job, job.anchor!);
  };
  const untilAnswered = (question: number, uid = 'a') =>
    eventually(`question ${question} is answered`, () => digest(uid).answers === question, { everyMs: 5 });

  const untilListed = (times: number) =>
    eventually('its pods were listed', () => lists >= times, { everyMs: 5 });

  it('is answered after one list of its pods', async () => {
    tracker.start();
    anchor(undefined);
    pod(undefined);
    expect(digest().answers).toBeUndefined();
    anchor(undefined, 7);
    await untilAnswered(7);
    expect(lists).toBe(1);
  });

  it('is not answered before the watcher has read the cluster', async () => {
    anchor(undefined, 7);
    pod(undefined);
    expect(lists).toBe(0);
    tracker.start();
    await untilAnswered(7);
  });

  it('gets the time for which the annotation has not changed', async () => {
    tracker.start();
    anchor(ANNOTATION);
    pod('1');
    anchor(ANNOTATION, 7);
    await untilAnswered(7);
    expect(digest()).toMatchObject({ silentMs: expect.any(Number), progress: { value: '1' } });
    expect(digest().progressFault).toBeUndefined();
  });

  it('is not answered before the watcher has read what the program has already reported', async () => {
    tracker.start();
    anchor(ANNOTATION);
    pod('1');
    store('2');
    anchor(ANNOTATION, 7);
    await untilListed(3);
    expect(digest().answers).toBeUndefined();
    pod('2');
    await untilAnswered(7);
    expect(digest().progress?.value).toBe('2');
  });

  it('causes the stream to be reopened that does not deliver the present state', async () => {
    tracker.start();
    anchor(undefined);
    pod(undefined);
    store('2');
    anchor(undefined, 7);
    await eventually('it is opened again', () => reopened.length > 0, { everyMs: 5 });
    expect([reopened[0], digest().answers]).toEqual(['v1/pods', undefined]);
    pod('2');
    await untilAnswered(7);
  });

  it('is not answered while its pods cannot be listed, which is logged once', async () => {
    tracker.start();
    anchor(undefined);
    pod(undefined);
    listRefusal = new ApiError('GET pods', { status: 403, reason: 'Forbidden', message: 'not for you' });
    anchor(undefined, 7);
    await untilListed(3);
    expect([digest().answers, reopened]).toEqual([undefined, []]);
    expect(warnings).toEqual(['questions of workflows cannot be answered now']);
    listRefusal = undefined;
    await untilAnswered(7);
  });

  it('is answered for the newest question, if it asks again meanwhile', async () => {
    tracker.start();
    anchor(undefined);
    pod(undefined);
    listRefusal = new ApiError('GET pods', { status: 500, reason: 'InternalError', message: 'away' });
    anchor(undefined, 7);
    await untilListed(2);
    anchor(undefined, 8);
    listRefusal = undefined;
    await untilAnswered(8);
  });

  it('gets the reason if its silence is unknown', async () => {
    tracker.start();
    anchor(LOG);
    pod(undefined);
    logRefusal = new ApiError('GET log', { status: 500, reason: 'InternalError', message: 'away' });
    lines = ['2026-01-01T00:00:00Z step=1\n'];
    anchor(LOG, 7);
    await untilAnswered(7);
    expect(digest().progressFault).toBeDefined();
    expect(digest().silentMs).toBeUndefined();
  });

  it('learns that its log is not followed because the watcher follows its maximum', async () => {
    tracker.start();
    for (const job of ['first', 'a']) {
      anchor(LOG, undefined, job);
      pod(undefined, job);
    }
    expect(digest().progressFault).toBe('the watcher already follows its maximum of 1 logs');
    anchor(LOG, 7);
    await untilAnswered(7);
    expect(digest()).toMatchObject({ progressFault: expect.stringContaining('1 logs') });
    stored = stored.filter(({ metadata }) => metadata.name !== 'first-worker-0');
    jobs.podsIn().deleted(aPod({ job: 'first', owner: 'first' }), resourceVersion++);
    anchor(LOG, 8);
    await untilAnswered(8);
    expect(digest()).toMatchObject({
      ...{ progressFault: undefined, silentMs: expect.any(Number) },
      silentPod: { pod: expect.any(String) },
    });
  });

  it('learns that the watcher has no permission to read its log', async () => {
    tracker.start();
    logRefusal = new ApiError('GET log', { status: 403, reason: 'Forbidden', message: 'not for you' });
    anchor(LOG);
    pod(undefined);
    await eventually('it is known', () => digest().progressFault !== undefined, { everyMs: 5 });
    anchor(LOG, 7);
    await untilAnswered(7);
    expect(digest().progressFault).toMatch(/^the watcher may not read its log: .*not for you/);
  });

  it('does not count as silent while its log grows, even if its stream brings nothing', async () => {
    tracker.start();
    lines = ['2026-01-01T00:00:00Z step=1\n'];
    anchor(LOG);
    pod(undefined);
    await eventually('the log is read', () => digest().progress?.value === '1', { everyMs: 5 });
    lines.push('2026-01-01T00:00:09Z step=2\n');
    anchor(LOG, 7);
    await untilAnswered(7);
    expect(digest()).toMatchObject({
      progressFault: 'its program has reported more than the watcher has read',
    });
    await eventually('the log is read anew', () => digest().progress?.value === '2', { everyMs: 5 });
  });
});
