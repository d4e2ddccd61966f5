import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClusterClient, LogOptions } from '../../../cluster/client.ts';
import { ApiError } from '../../../cluster/errors.ts';
import type { Pod } from '../../../contracts/kubernetes.ts';
import type { WatchRules } from '../../../contracts/policy.ts';
import { QuestionAnswerer } from '../../../watcher/digest/answering.ts';
import { ProgressMonitor } from '../../../watcher/progress-monitor.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { eventually } from '../../eventually.ts';
import { anAnchor, aPod, RUNNING } from '../fixtures.ts';

const ANNOTATION: WatchRules = { progress: { annotation: 'example.com/step' } };
const LOG: WatchRules = { progress: { log: 'step=(\\d+)' } };

describe('a workflow that asks how its job is', () => {
  let term: AbortController;
  let book: JobStore;
  let answered: string[];
  /** As the API server has it. */
  let stored: Pod | undefined;
  /** As the node has it; those that are followed are told no more than that. */
  let lines: string[];
  let refusal: ApiError | undefined;
  let requests: number;
  let resourceVersion: number;
  let answering: QuestionAnswerer;

  beforeEach(() => {
    term = new AbortController();
    [answered, stored, lines, refusal, requests, resourceVersion] = [[], undefined, [], undefined, 0, 1];
    const cluster = { log: openLog, find } as unknown as ClusterClient;
    const log = pino({ level: 'silent' });
    const listening = new ProgressMonitor(
      { cluster, log, onProgress: () => undefined, most: 1 },
      term.signal,
    );
    answering = new QuestionAnswerer(
      {
        check: (job) => listening.check(job),
        reopenLog: (job) => listening.reopenLog(job),
        onAnswer: (job) => void answered.push(job.uid),
      },
      term.signal,
    );
    book = new JobStore((job) => {
      listening.update(job);
      if (answering.update(job)) answered.push(job.uid);
    });
  });

  afterEach(() => term.abort());

  async function find() {
    requests++;
    if (refusal) throw refusal;
    return stored;
  }

  async function openLog(_: string, __: string, { follow, signal, tailLines }: LogOptions) {
    if (refusal) throw refusal;
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
    book.anchors.changed({ ...rest, metadata: { ...metadata, annotations } }, resourceVersion++);
  };
  const pod = (step: string | undefined, job = 'a') => {
    const annotations: Record<string, string> = step === undefined ? {} : { 'example.com/step': step };
    const made = aPod({ job, owner: job, status: RUNNING, annotations });
    book.pods.changed(made, resourceVersion++);
    return made;
  };
  const digest = (uid = 'a') => {
    const job = book.job({ namespace: 'default', uid })!;
    return book.digestOf(job, job.anchor!);
  };
  const untilAnswered = (question: number, uid = 'a') =>
    eventually(`question ${question} is answered`, () => digest(uid).answers === question, { everyMs: 5 });

  it('is answered at once where nothing has to be looked up', () => {
    answering.start(book.jobs);
    anchor(undefined);
    pod(undefined);
    expect(digest().answers).toBeUndefined();
    anchor(undefined, 7);
    expect([answered, digest().answers, requests]).toEqual([['a'], 7, 0]);
  });

  it('is not answered before the watcher has read the cluster', () => {
    anchor(undefined, 7);
    expect(answered).toEqual([]);
    pod(undefined);
    answering.start(book.jobs);
    expect(digest().answers).toBe(7);
  });

  it('learns for how long the annotation has not changed', async () => {
    answering.start(book.jobs);
    anchor(ANNOTATION);
    stored = pod('1');
    anchor(ANNOTATION, 7);
    await untilAnswered(7);
    expect(digest()).toMatchObject({ silentMs: expect.any(Number), progress: { value: '1' } });
    expect([digest().progressFault, requests]).toEqual([undefined, 1]);
  });

  it('is not answered before the watcher has read what the program has already reported', async () => {
    answering.start(book.jobs);
    anchor(ANNOTATION);
    pod('1');
    stored = aPod({ job: 'a', owner: 'a', status: RUNNING, annotations: { 'example.com/step': '2' } });
    anchor(ANNOTATION, 7);
    await eventually('it was looked up', () => requests > 0, { everyMs: 5 });
    expect(digest().answers).toBeUndefined();
    pod('2');
    await untilAnswered(7);
    expect(digest().progress?.value).toBe('2');
  });

  it('learns why its silence is unknown', async () => {
    answering.start(book.jobs);
    anchor(ANNOTATION);
    pod('1');
    refusal = new ApiError('GET pod', { status: 500, reason: 'InternalError', message: 'away' });
    anchor(ANNOTATION, 7);
    await untilAnswered(7);
    expect(digest()).toMatchObject({ progressFault: expect.stringContaining('away') });
    expect(digest().silentMs).toBeUndefined();
  });

  it('learns that its log is not followed while the watcher follows its maximum', async () => {
    answering.start(book.jobs);
    for (const job of ['first', 'a']) {
      anchor(LOG, undefined, job);
      pod(undefined, job);
    }
    expect(digest().progressFault).toBe('the watcher already follows its maximum of 1 logs');
    anchor(LOG, 7);
    await untilAnswered(7);
    expect(digest()).toMatchObject({ progressFault: expect.stringContaining('1 logs') });
    book.pods.deleted(aPod({ job: 'first', owner: 'first' }), resourceVersion++);
    anchor(LOG, 8);
    await untilAnswered(8);
    expect(digest()).toMatchObject({ progressFault: undefined, silentMs: expect.any(Number) });
  });

  it('learns that the watcher may not read its log', async () => {
    answering.start(book.jobs);
    refusal = new ApiError('GET log', { status: 403, reason: 'Forbidden', message: 'not for you' });
    anchor(LOG);
    pod(undefined);
    await eventually('it is known', () => digest().progressFault !== undefined, { everyMs: 5 });
    anchor(LOG, 7);
    await untilAnswered(7);
    expect(digest().progressFault).toMatch(/^the watcher may not read its log: .*not for you/);
  });

  it('does not count as silent while its log grows, even if its stream brings nothing', async () => {
    answering.start(book.jobs);
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
