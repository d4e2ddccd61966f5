import type { Cause, EvidenceSummary, Policy } from '../../contracts/types.ts';
import type { Effect } from '../../machines/model/effects.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import type { JobState } from '../../machines/step.ts';
import { planned } from './builders.ts';
import type { Move } from './random-walks.ts';

/** Where a job is when it hears something. */
export interface WaitingJob {
  readonly job: JobState;
  /** What the host is doing; a new effect takes its place. */
  readonly outstanding: Effect | undefined;
  /** What an amendment makes of the policy. */
  readonly otherPolicy: Policy | undefined;
}

/** What a move says to a job; undefined if there is nobody who could say it. */
export function eventOf(waiting: WaitingJob, move: Move, at: number): JobEvent | undefined {
  switch (move.move) {
    case 'hear':
      return { type: 'digest', digest: move.digest, at };
    case 'deadline':
      return { type: 'deadline', name: move.name, at };
    case 'answer':
      return answerOf(waiting, move, at);
    case 'fail':
      return waiting.outstanding && failureOf(waiting.outstanding.type, at);
    case 'late answer':
      return isUnderWay(waiting, move) ? undefined : { ...move, type: 'effectDone', resourceVersion: 40, at };
    case 'late failure':
      return isUnderWay(waiting, move) ? undefined : failureOf(move.effect, at);
    case 'ask':
      return askedFor(move, at);
    case 'scale':
    case 'change the policy':
      return amendment(waiting, move, at);
    case 'continue as new':
      return undefined;
  }
}

/** It would be the answer. */
const isUnderWay = ({ outstanding }: WaitingJob, { effect }: { readonly effect: Effect['type'] }) =>
  outstanding?.type === effect;

function answerOf(
  { outstanding, job }: WaitingJob,
  { resourceVersion, finds, leaves }: Move & { readonly move: 'answer' },
  at: number,
): JobEvent | undefined {
  if (!outstanding) return undefined;
  const failures = job.snapshot.context.digest?.failures ?? [];
  const evidence = failures.slice(0, finds).map(
    ({ pod, uid, role, index }): EvidenceSummary => ({
      ...{ pod, uid, role, index },
      attempt: 1,
      takenAt: '2026-01-01T00:00:00Z',
      matches: finds > 1 ? [0] : [],
    }),
  );
  const stuck = leaves ? { stuckPods: [{ pod: 'resnet-worker-0', node: 'a' }] } : {};
  return { type: 'effectDone', effect: outstanding.type, resourceVersion, evidence, ...stuck, at };
}

const failureOf = (effect: Effect['type'], at: number): JobEvent => ({
  type: 'effectFailed',
  effect,
  cause: because('ClusterRefused'),
  at,
});

function askedFor({ what, seconds }: Move & { readonly move: 'ask' }, at: number): JobEvent {
  switch (what) {
    case 'stop':
      return { type: 'stop', cause: because('StopRequested'), at };
    case 'stop after a checkpoint':
      return { type: 'stop', checkpoint: true, cause: because('StopRequested'), at };
    case 'hold':
      return { type: 'hold', seconds, cause: because('HeldForDebugging'), at };
    case 'extendDeadline':
      return { type: 'extendDeadline', seconds, cause: because('DeadlineExceeded'), at };
    default:
      return { type: what, cause: because('Suspended'), at };
  }
}

function amendment(
  { job, otherPolicy }: WaitingJob,
  move: Move & { readonly move: 'scale' | 'change the policy' },
  at: number,
): JobEvent {
  const { plan, revision } = job.snapshot.context;
  const resized = (replicas: number) =>
    plan.roles.map((role) => (role.name === 'Worker' ? { ...role, replicas } : role));
  const amended =
    move.move === 'scale' ? { ...plan, roles: resized(move.workers) } : { ...plan, policy: otherPolicy };
  return { type: 'amend', ...planned(amended, revision.number + 1), cause: because('Scaling'), at };
}

const because = (reason: Cause['reason']): Cause => ({ reason, message: 'asked by ana' });
