import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LedgerEntry } from '../../contracts/types.ts';
import { type JudgedJob, wronglyJudged } from './limits.ts';
import { Course, keyOfPod } from './observed.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
/** Seconds after the start. */
const at = (seconds: number) => START + seconds * 1_000;

let observed: Parameters<typeof wronglyJudged>[1];

beforeEach(() => {
  observed = { pods: new Course(), nodes: new Course(), reports: new Map() };
});

interface JudgedEntry extends Pick<LedgerEntry, 'message' | 'reason' | 'pods' | 'counts'> {
  readonly timer: string;
}

/** Asked after 20 s, answered and judged after 21 s. */
function judged({ timer, ...entry }: JudgedEntry, askedAt = at(20)): JudgedJob {
  const common = { attempt: 1, phase: 'Running', revision: 1 } as const;
  const entries: LedgerEntry[] = [
    {
      ...common,
      seq: 1,
      at: '2026-01-01T00:00:01.000Z',
      to: 'Running',
      cause: { type: 'digest' },
      message: '',
    },
    {
      ...{ ...common, seq: 2, at: '2026-01-01T00:00:21.000Z', from: 'Running', to: 'Restarting.Draining' },
      ...{ cause: { type: 'timer', timer }, ...entry },
    },
  ];
  return { name: 'job', entries, answers: [{ at: at(21), askedAt }] };
}

const wrongs = (job: JudgedJob) => wronglyJudged([job], observed).length;
const pod = (name = 'job-worker-0') => keyOfPod('job', 1, name);

describe('a judged limit', () => {
  const startUp: JudgedEntry = {
    timer: 'startUp',
    reason: 'StartUpFailed',
    message: '1 wait with Unschedulable (job-worker-0: 0/3 nodes); startUp.after: 12s',
  };

  it.each([
    ['before the question', 15, 1],
    ['after the answer', 30, 0],
  ])('was wrong if its pod was ready: %s', (_, ready, count) => {
    observed.pods.note(pod(), false, at(5));
    observed.pods.note(pod(), true, at(ready));
    expect(wrongs(judged(startUp))).toBe(count);
  });

  it('was wrong if the watcher was not asked', () => {
    expect(wrongs({ ...judged(startUp), answers: [] })).toBe(1);
  });

  it.each([
    ['within the limit', 15, 1],
    ['before that', 5, 0],
    ['after the question', 20.5, 0],
  ])('was wrong if it reported progress: %s', (_, reported, count) => {
    observed.reports.set('job', [at(reported)]);
    const stall = {
      timer: 'stall',
      reason: 'Stalled',
      message: 'no progress; progress.stalledAfter: 10s',
    } as const;
    expect(wrongs(judged(stall))).toBe(count);
  });

  it.each([
    ['was back', true, 1],
    ['was away', false, 0],
  ])('was wrong if the node %s', (_, isBack, count) => {
    observed.nodes.note('gpu-1', false, at(5));
    if (isBack) observed.nodes.note('gpu-1', true, at(15));
    const pods = [{ pod: 'job-worker-0', node: 'gpu-1', reason: 'NodeLost' }];
    expect(wrongs(judged({ timer: 'nodeLost', message: 'lost', pods }))).toBe(count);
  });

  it.each([
    ['all of its pods were', ['job-worker-0', 'job-worker-1'], 1],
    ['one of them was', ['job-worker-0'], 0],
  ])('was wrong if it had recovered: %s ready', (_, ready, count) => {
    for (const name of ready) observed.pods.note(pod(name), true, at(15));
    const recovery = { timer: 'recovery', message: 'the job did not run again in time' } as const;
    expect(wrongs(judged({ ...recovery, counts: { worker: { wanted: 2 } } }))).toBe(count);
  });
});
