import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pino from 'pino';
import type { ClusterClient, LogOptions } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import type { Urgency } from '../../watcher/jobs/delivery.ts';
import type { WatchedJob } from '../../watcher/jobs/job.ts';
import { ProgressMonitor } from '../../watcher/progress-monitor.ts';
import { JobStore } from '../../watcher/store/job-store.ts';
import { anAnchor, aPod, RUNNING, SUCCEEDED } from './fixtures.ts';

const OVER = { ...RUNNING, ...SUCCEEDED };

/** Ends a stream, as the API server does when the container has ended. */
const END = 'end of the log';

const watch = { progress: { log: '^step=(\\d+)' }, everyMs: 5_000 };

describe('following logs', () => {
  let leadership: AbortController;
  let jobs: JobStore;
  /** Logs that are followed now, by pod. */
  let open: Map<string, (line: string) => void>;
  let logged: string[];
  let received: string[];
  let refuse: boolean;
  let resourceVersion: number;

  beforeEach(() => {
    jest.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') });
    leadership = new AbortController();
    [open, logged, received, refuse, resourceVersion] = [new Map(), [], [], false, 1];
    const tools = {
      cluster: { log: openLog } as unknown as ClusterClient,
      log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) }),
      queue: {
        changed: (job: WatchedJob, urgency: Urgency) =>
          void received.push(`${job.uid} ${job.progress?.progress?.value} ${urgency}`),
      },
      most: 2,
    };
    const monitor = new ProgressMonitor(tools, leadership.signal);
    jobs = new JobStore();
    jobs.on('changed', (job) => void monitor.update(job));
  });

  afterEach(() => {
    leadership.abort();
    jest.useRealTimers();
  });

  async function openLog(_: string, pod: string, { follow, signal }: LogOptions) {
    if (refuse) throw new ApiError('GET log', { status: 403, reason: 'Forbidden', message: 'no' });
    return follow ? followed(pod, signal!) : [];
  }

  async function* followed(pod: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const lines: string[] = [];
    let wake: () => void = () => undefined;
    open.set(pod, (line) => {
      lines.push(line);
      wake();
    });
    signal.addEventListener('abort', () => {
      open.delete(pod);
      wake();
    });
    for (;;) {
      if (signal.aborted) throw signal.reason;
      const text = lines.shift();
      if (text === END) return;
      if (text === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else yield Buffer.from(`${new Date().toISOString()} ${text}\n`);
    }
  }

  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  async function job(name: string, namespace?: string): Promise<void> {
    jobs.anchorsIn().changed(anAnchor({ job: name, uid: name, watch, namespace }), resourceVersion++);
    pod(name, { namespace });
    await pass(0);
  }

  const pod = (name: string, more: Parameters<typeof aPod>[0] = {}) =>
    jobs.podsIn().changed(aPod({ job: name, owner: name, status: RUNNING, ...more }), resourceVersion++);

  it('is limited to a maximum, reports jobs beyond it, and continues with the first ones', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await job(name);
    expect([...open.keys()]).toEqual(['a-worker-0', 'b-worker-0']);
    expect(logged).toEqual(['no more logs can be followed: the progress of some jobs is not read for now']);
    jobs.podsIn().deleted(aPod({ job: 'c', owner: 'c' }), resourceVersion++);
    jobs.podsIn().deleted(aPod({ job: 'a', owner: 'a' }), resourceVersion++);
    await pass(0);
    expect([...open.keys()]).toEqual(['b-worker-0', 'd-worker-0']);
  });

  it('continues with the next waiting log if one becomes free', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await job(name);
    // Its pod ends with nobody telling: what it wanted is found out when its turn comes.
    jobs.job({ namespace: 'default', uid: 'c' })!.reportingPods.clear();
    jobs.podsIn().deleted(aPod({ job: 'a', owner: 'a' }), resourceVersion++);
    await pass(0);
    expect([...open.keys()]).toEqual(['b-worker-0', 'd-worker-0']);
  });

  it('gives a log of the namespace with most logs to the job of another namespace', async () => {
    for (const name of ['a', 'b', 'c']) await job(name, 'greedy');
    await job('d', 'other');
    expect([...open.keys()]).toEqual(['a-worker-0', 'd-worker-0']);
    expect(jobs.job({ namespace: 'greedy', uid: 'b' })?.progressFault).toContain('maximum of 2 logs');
    await job('e', 'other');
    await job('f', 'greedy');
    expect([...open.keys()]).toEqual(['a-worker-0', 'd-worker-0']);
  });

  it('gives a free log to the namespace with fewest', async () => {
    for (const name of ['a', 'b']) await job(name, 'greedy');
    await job('c', 'other');
    await job('d', 'greedy');
    await job('e', 'third');
    expect([...open.keys()]).toEqual(['a-worker-0', 'c-worker-0']);
    jobs.podsIn().deleted(aPod({ job: 'a', owner: 'a', namespace: 'greedy' }), resourceVersion++);
    await pass(0);
    expect(open.size).toBe(2);
    jobs.podsIn().deleted(aPod({ job: 'c', owner: 'c', namespace: 'other' }), resourceVersion++);
    await pass(0);
    expect([...open.keys()]).toContain('e-worker-0');
  });

  it('continues with the replacement of a pod, from the start in a new attempt', async () => {
    await job('a');
    open.get('a-worker-0')!('step=7');
    await pass(0);
    jobs.podsIn().deleted(aPod({ job: 'a', owner: 'a' }), resourceVersion++);
    await pass(0);
    expect(open.size).toBe(0);
    pod('a', { attempt: 2 });
    await pass(0);
    expect(open.size).toBe(1);
    expect(jobs.job({ namespace: 'default', uid: 'a' })?.progress).toMatchObject({
      attempt: 2,
      progress: undefined,
    });
  });

  it.each([
    [
      'the job is over',
      () => jobs.anchorsIn().changed(anAnchor({ job: 'a', uid: 'a', watch, phase: 'Completed' }), 99),
    ],
    ['the job wants it no longer', () => jobs.anchorsIn().changed(anAnchor({ job: 'a', uid: 'a' }), 99)],
    ['the leadership is over', () => leadership.abort()],
  ])('ends when %s', async (_, happen) => {
    await job('a');
    happen();
    await pass(0);
    expect(open.size).toBe(0);
  });

  it('does not begin before the container has', async () => {
    jobs.anchorsIn().changed(anAnchor({ job: 'a', uid: 'a', watch }), resourceVersion++);
    pod('a', { status: { phase: 'Pending' } });
    await pass(0);
    expect(open.size).toBe(0);
  });

  it('reads the log of a pod that ended before it was followed, once', async () => {
    jobs.anchorsIn().changed(anAnchor({ job: 'a', uid: 'a', watch }), resourceVersion++);
    pod('a', { status: OVER });
    await pass(0);
    open.get('a-worker-0')!('step=3');
    open.get('a-worker-0')!(END);
    await pass(0);
    pod('a', { status: OVER });
    await pass(0);
    expect(open.size).toBe(0);
    expect(received).toEqual(['a 3 report', 'a 3 now']);
  });

  describe('when the pod has ended', () => {
    const held = () => jobs.job({ namespace: 'default', uid: 'a' })!.heldUntil;

    beforeEach(async () => {
      await job('a');
      pod('a', { status: OVER });
      await pass(0);
    });

    it('holds the job’s digest until its last reports are read', async () => {
      expect(held()).toBe(Date.now() + 5_000);
      open.get('a-worker-0')!('step=9');
      open.get('a-worker-0')!(END);
      await pass(0);
      // This request began before the end of the pod was known, so another reads what came after it.
      open.get('a-worker-0')!(END);
      await pass(0);
      expect(held()).toBeUndefined();
      expect(received.at(-1)).toBe('a 9 now');
    });

    it('does not extend the hold with each event', async () => {
      const first = held();
      await pass(100);
      pod('a', { status: OVER });
      expect(held()).toBe(first);
    });

    it('ends the hold when the pod is deleted', async () => {
      jobs.podsIn().deleted(aPod({ job: 'a', owner: 'a' }), resourceVersion++);
      expect(held()).toBeUndefined();
    });
  });

  it('holds no digest for a log that it cannot read', async () => {
    refuse = true;
    await job('a');
    pod('a', { status: OVER });
    expect(jobs.job({ namespace: 'default', uid: 'a' })!.heldUntil).toBeUndefined();
  });

  it('reports once that it has no permission to read logs', async () => {
    refuse = true;
    await job('a');
    await job('b');
    await pass(0);
    expect(logged).toEqual(['no permission to read logs: progress reported there is not seen']);
  });

  it('reports once that it cannot parse the watch rules', async () => {
    const anchor = anAnchor({ job: 'a', uid: 'a', watch: { progress: { log: '(' } } });
    jobs.anchorsIn().changed(anchor, resourceVersion++);
    pod('a');
    pod('a', { index: 1 });
    await pass(0);
    expect(logged).toEqual(['an anchor holds invalid watch rules']);
    expect(open.size).toBe(0);
  });
});
