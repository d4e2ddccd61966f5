import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pino from 'pino';
import type { ClusterClient, LogOptions } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import { jobDigest } from '../../watcher/digest/job-digest.ts';
import type { WatchedJob } from '../../watcher/jobs/job.ts';
import { StepReadings } from '../../watcher/step-readings.ts';
import { JobStore } from '../../watcher/store/job-store.ts';
import { anAnchor, aPod, RUNNING } from './fixtures.ts';

const START = Date.parse('2026-01-01T00:00:00Z');

/** The line of a step, and how long one takes, in seconds. */
interface Program {
  readonly paceS: number;
  readonly line?: (step: number) => string;
  /** It makes no step from this second to that. */
  readonly hangs?: readonly [from: number, to: number];
}

describe('steps of running jobs', () => {
  let leadership: AbortController;
  let jobs: JobStore;
  let programs: Map<string, Program>;
  let asked: string[];
  let told: string[];
  let counts: { present: number; atOnce: number };
  let version: number;
  let refuse: boolean;
  let readings: StepReadings;

  beforeEach(() => {
    jest.useFakeTimers({ now: START });
    leadership = new AbortController();
    jobs = new JobStore();
    [programs, asked, told, version, refuse] = [new Map(), [], [], 1, false];
    counts = { present: 0, atOnce: 0 };
    const cluster = { log: readLog, now: () => Date.now() } as unknown as ClusterClient;
    const changed = ({ uid, steps }: WatchedJob) => void told.push(`${uid}: ${steps?.late ?? 'goes on'}`);
    readings = new StepReadings(
      { cluster, log: pino({ enabled: false }), queue: { changed }, jobs: () => jobs.jobs },
      leadership.signal,
    );
    readings.start();
  });

  afterEach(() => {
    leadership.abort();
    jest.useRealTimers();
  });

  async function readLog(_: string, pod: string, { tailLines = 0, limitBytes }: LogOptions) {
    asked.push(pod);
    if (refuse) throw new ApiError('GET log', { status: 403, reason: 'Forbidden', message: 'no' });
    counts.atOnce = Math.max(counts.atOnce, ++counts.present);
    await new Promise((resolve) => setTimeout(resolve, 100));
    counts.present--;
    const lines = logOf(programs.get(pod), (Date.now() - START) / 1000, tailLines);
    return [Buffer.from(lines.join('')).subarray(0, limitBytes)];
  }

  /** The last lines that a program has written by this second. */
  function logOf(program: Program | undefined, now: number, most: number): readonly string[] {
    if (!program) return [`2026-01-01T00:00:00.000000000Z hello\n`];
    const { paceS, line = (step) => `iter ${step}: loss 2.1, time 1.00ms, mfu 1%`, hangs = [0, 0] } = program;
    const times: number[] = [];
    for (let at = 0; at <= now; at += paceS) if (at <= hangs[0] || at > hangs[1]) times.push(at);
    return times.slice(-most).map((at, index, last) => {
      const time = new Date(START + at * 1000).toISOString().replace('Z', '000000Z');
      return `${time} ${line(times.length - last.length + index)}\n`;
    });
  }

  function job(name: string, watch?: object, pods = 1): void {
    jobs.anchorsIn().changed(anAnchor({ job: name, uid: name, phase: 'Running', watch }), version++);
    for (let index = 0; index < pods; index++) pod(name, index);
  }

  const pod = (name: string, index: number) =>
    jobs.podsIn().changed(aPod({ job: name, owner: name, status: RUNNING, index }), version++);

  const pass = (seconds: number) => jest.advanceTimersByTimeAsync(seconds * 1000);
  const found = (uid: string) => jobs.job({ namespace: 'default', uid })!;

  it('say nothing while they come, and cost one request a minute', async () => {
    programs.set('a-worker-0', { paceS: 1 });
    job('a');
    await pass(3_600);
    expect(told).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(60);
    expect(found('a').steps?.lastStepAt).toBeGreaterThan(START + 3_500_000);
  });

  it('are told once when there is none for longer than usual, and once when there are again', async () => {
    programs.set('a-worker-0', { paceS: 3, hangs: [600, 1_500] });
    job('a');
    await pass(600 + 120);
    expect(told).toEqual([]);
    // 40 usual steps, and at most another reading.
    await pass(130);
    const sentence = 'no step since 2026-01-01T00:10:00Z, usually one every 3s, the last read was step 200';
    expect(told).toEqual([`a: ${sentence}`]);
    const digest = jobDigest({ ...found('a'), anchor: found('a').anchor! }, { pods: 1, groups: {} });
    expect(digest.noSteps).toBe(sentence);
    await pass(800);
    expect(told).toEqual([`a: ${sentence}`, 'a: goes on']);
  });

  it('are told also of a program that hangs since before it was read first, e.g. by the watcher before', async () => {
    programs.set('a-worker-0', { paceS: 0.5, hangs: [15, 9_000] });
    await pass(600);
    job('a');
    await pass(200);
    expect(told).toEqual([
      'a: no step since 2026-01-01T00:00:15Z, usually one every 500ms, the last read was step 30',
    ]);
    expect(asked.length).toBeLessThanOrEqual(12);
  });

  it('are those of the last pod, where the main one shows none', async () => {
    programs.set('a-worker-2', { paceS: 2, hangs: [300, 9_000] });
    job('a', undefined, 3);
    await pass(150);
    expect(new Set(asked)).toEqual(new Set(['a-worker-0', 'a-worker-2']));
    asked = [];
    await pass(600);
    expect(new Set(asked)).toEqual(new Set(['a-worker-2']));
    expect(told).toEqual([expect.stringContaining('no step since 2026-01-01T00:05:00Z')]);
  });

  it('of a bar that arrives in blocks are read from the last one', async () => {
    const block = (step: number) =>
      Array.from(
        { length: 160 },
        (_, n) => `\r 1%|▏  | ${step * 160 + n}/99999 [00:31<16:50,  2.60s/it]`,
      ).join('');
    programs.set('a-worker-0', { paceS: 30, line: block, hangs: [1_200, 9_000] });
    job('a');
    await pass(1_200 + 80);
    expect(told).toEqual([]);
    await pass(300);
    expect(told).toEqual([
      expect.stringMatching(/usually one every 190ms, the last read was step 64\d\d of 99999/),
    ]);
  });

  it('are not read where the policy says what reports progress, nor of a job that does not run', async () => {
    job('a', { progress: { log: 'step' } });
    jobs.anchorsIn().changed(anAnchor({ job: 'b', uid: 'b', phase: 'Starting' }), version++);
    pod('b', 0);
    await pass(300);
    expect(asked).toEqual([]);
  });

  it('of a program that shows none are looked for ever more rarely, and nothing is told', async () => {
    job('a');
    await pass(600);
    const first = asked.length;
    expect(first).toBeLessThanOrEqual(11);
    await pass(6_000);
    expect(asked.length - first).toBeLessThanOrEqual(11);
    expect(told).toEqual([]);
  });

  it('are read a few at once, and a refusal is not repeated soon', async () => {
    for (let index = 0; index < 200; index++) job(`a${index}`);
    await pass(80);
    expect(new Set(asked).size).toBe(200);
    expect(counts.atOnce).toBeLessThanOrEqual(16);
    refuse = true;
    await pass(130);
    asked = [];
    await pass(30);
    expect(asked).toEqual([]);
  });

  it('are read anew when a workflow asks, which hears whether there is none and in which log', async () => {
    programs.set('a-worker-2', { paceS: 3, hangs: [600, 980] });
    job('a', undefined, 3);
    const asks = async () => {
      const answer = readings.check(found('a'));
      await pass(1);
      return answer;
    };
    await pass(700);
    expect(await asks()).toEqual({});
    await pass(200);
    expect(told).toHaveLength(1);
    expect(await asks()).toEqual({ silentPod: { pod: 'a-worker-2', node: undefined } });
    refuse = true;
    await expect(Promise.all([readings.check(found('a')), pass(1)])).rejects.toThrow('no');
    refuse = false;
    // It goes on before the watcher has read that by itself.
    programs.set('a-worker-2', { paceS: 3, hangs: [600, 890] });
    expect(await asks()).toEqual({});
    expect(told.at(-1)).toBe('a: goes on');
  });

  it('of an attempt that is over are forgotten', async () => {
    programs.set('a-worker-0', { paceS: 3, hangs: [300, 9_000] });
    job('a');
    await pass(900);
    expect(told).toHaveLength(1);
    jobs.anchorsIn().changed(anAnchor({ job: 'a', uid: 'a', phase: 'Restarting' }), version++);
    await pass(10);
    expect(found('a').steps).toBeUndefined();
    expect(told.at(-1)).toBe('a: goes on');
  });
});
