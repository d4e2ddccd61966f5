import type { FinalPhase } from '../../contracts/status.ts';
import { retried } from '../attempt/effects.ts';
import type { Assessment } from '../model/assessment.ts';
import type { Effect } from '../model/effects.ts';
import { BACK_OFF, type JobContext, REFUSED, START_UP } from '../model/job-context.ts';
import type { ActionArgs } from './job-setup.ts';

/**
 * Transitions shared by several states. The description of a transition to another state labels its arrow in
 * docs/states.md.
 */

export const isDeadline = (name: string) => ({ type: 'isDeadline' as const, params: { name } });
export const isAssessedAs = (is: Assessment['is']) => ({ type: 'isAssessedAs' as const, params: { is } });
export const isFor = (effect: Effect['type']) => ({ type: 'isFor' as const, params: { effect } });
const hasStuckPods = (effect: Effect['type']) => ({ type: 'hasStuckPods' as const, params: { effect } });
export const endsAs = (phase: FinalPhase) => ({ type: 'decideOutcome' as const, params: { phase } });
export const failsAt = (effect: Effect['type']) => ({
  guard: isFor(effect),
  target: '#job.Finishing' as const,
  actions: endsAs('Failed'),
  description: `${effect} failed`,
});

/** After an effect that removes pods, waits for the pods that are left. */
export const waitForStuckPods = (type: Effect['type']) => ({
  guard: hasStuckPods(type),
  actions: 'recordStuckPods' as const,
});

export const retryNow = (effect: (context: JobContext) => Effect) => [
  'beginLook' as const,
  {
    type: 'perform' as const,
    params: ({ context, event }: ActionArgs): Effect => retried(effect(context), context, event.at),
  },
];

/** Retries the effect when the remaining pods are gone. */
export const retryOnceGone = (effect: (context: JobContext) => Effect) => ({
  guard: 'areStuckPodsGone' as const,
  actions: retryNow(effect),
});

/** Retries the effect when the look timer fires, or when the policy allows force deletion. */
export const retryOnTimer = (effect: (context: JobContext) => Effect) => ({
  guard: 'isLookDue' as const,
  actions: retryNow(effect),
});

/** Transitions that end the job, by assessment. */
export const END_TRANSITIONS = [
  {
    guard: isAssessedAs('stopped'),
    target: '#job.Finishing',
    actions: endsAs('Stopped'),
    description: 'the anchor is gone',
  },
  {
    guard: isAssessedAs('succeeded'),
    target: '#job.Finishing',
    actions: endsAs('Completed'),
    description: 'succeeded',
  },
  {
    guard: isAssessedAs('failed'),
    target: '#job.Finishing',
    actions: endsAs('Failed'),
    description: 'failed',
  },
  {
    guard: isAssessedAs('ended'),
    target: '#job.Finishing',
    actions: endsAs('Stopped'),
    description: 'a rule ends it',
  },
] as const;

/** A queue takes back that it has admitted the job: whatever else is wrong with its pods does not matter any more. */
export const EVICTED = {
  guard: isAssessedAs('evicted'),
  target: '#job.Restarting.Evicted',
  description: 'its queue takes its place back',
} as const;

/** A rule of the manifest suspends the job. What failed is looked at first. */
const SUSPENDED = {
  guard: isAssessedAs('suspended'),
  target: '#job.Restarting',
  description: 'a rule suspends it',
} as const;

/** A state that creates something decides nothing before that is done. In a namespace that is gone it never is. */
export const END_WITHOUT_ANCHOR = {
  guard: 'isRefusedWithoutAnchor',
  target: '#job.Finishing',
  actions: endsAs('Stopped'),
  description: 'the anchor is gone',
} as const;

const ASSESSMENT_TRANSITIONS = [
  ...END_TRANSITIONS,
  SUSPENDED,
  EVICTED,
  {
    guard: isAssessedAs('unexamined'),
    target: '#job.Restarting',
    description: 'something failed or is gone',
  },
  { guard: isAssessedAs('broken'), target: '#job.Restarting', description: 'something failed or is gone' },
  {
    guard: isAssessedAs('resizedAnew'),
    target: '#job.Restarting',
    description: 'new sizes with a restart',
  },
  { guard: isAssessedAs('resized'), target: '#job.Pending.Scaling', description: 'new sizes' },
  {
    guard: isAssessedAs('launchable'),
    target: '#job.Starting.Launching',
    description: 'what a role waits for is ready',
  },
  { guard: isAssessedAs('scheduling'), target: '#job.Pending.Scheduling', description: 'a pod has no node' },
  { guard: isAssessedAs('starting'), target: '#job.Starting.Waiting', description: 'a program is not ready' },
  { guard: isAssessedAs('running'), target: '#job.Running', description: 'every program is ready' },
] as const;

export const FINAL_STATES = [
  {
    guard: { type: 'isCleanedUp', params: { phase: 'Completed' } },
    target: '#job.Completed',
    description: 'cleanUp done',
  },
  {
    guard: { type: 'isCleanedUp', params: { phase: 'Failed' } },
    target: '#job.Failed',
    description: 'cleanUp done',
  },
  {
    guard: { type: 'isCleanedUp', params: { phase: 'Stopped' } },
    target: '#job.Stopped',
    actions: 'recordSignalResult',
    description: 'cleanUp done',
  },
] as const;

/** Returns all assessment transitions except the one to the state itself. */
export const transitionsExcept = (own: Assessment['is']) =>
  ASSESSMENT_TRANSITIONS.filter(({ guard }) => guard.params.is !== own);

/** The policy limits how long a job waits for a refused effect. */
export const REFUSED_TOO_LONG = {
  guard: isDeadline(REFUSED),
  target: '#job.Finishing' as const,
  actions: endsAs('Failed'),
  description: 'refused for too long',
};

export const APPLY_DIGEST = ['applyDigest', 'refund'] as const;

export const TRY_AGAIN = { type: 'perform', params: (): Effect => ({ type: 'tryAgain' }) } as const;

/**
 * New sizes while pods are being created for the old ones. They do not wait for that: it may be refused until the job is
 * smaller.
 */
export const RESIZE_AT_ONCE = [
  END_TRANSITIONS[0],
  {
    guard: 'resizesLive',
    target: '#job.Pending.Scaling',
    reenter: true,
    actions: 'amend',
    description: 'new sizes',
  },
  {
    guard: 'resizes',
    target: '#job.Restarting',
    actions: ['amend', 'restartForSizes'],
    description: 'new sizes with a restart',
  },
  { guard: undefined, actions: 'amend' },
] as const;

/** A back-off may be over while the job waits for something else. */
export const END_BACK_OFF = { guard: isDeadline(BACK_OFF), actions: 'endBackOff' } as const;

/** Of a state in which no pods are left, until the back-off is over or a person ends it. */
export const BETWEEN_ATTEMPTS = { deadline: END_BACK_OFF, retryNow: { actions: 'endBackOff' } } as const;

/** The next attempt begins. */
export const startsAttemptAt = <const Target extends string>(target: Target) =>
  ({
    guard: 'isBackOffOver',
    target,
    actions: 'startAttempt',
    description: 'the back-off is over',
  }) as const;

/** Timeouts of a gang that is not ready yet. */
export const START_TIMEOUTS = [
  {
    guard: 'isRecoveryOver',
    target: '#job.Restarting',
    actions: 'markNotRecovered',
    description: 'not recovered in time',
  },
  {
    guard: 'hasNotStarted',
    target: '#job.Restarting',
    actions: 'markStartUpFailed',
    description: 'not started in time',
  },
  { guard: isDeadline(START_UP), actions: 'recordStarting' },
] as const;
