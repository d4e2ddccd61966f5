import type { FinalPhase } from '../../contracts/status.ts';
import { again } from '../attempt/effects.ts';
import type { Assessment } from '../model/assessment.ts';
import { type JobContext, REFUSED, START_UP } from '../model/job-context.ts';
import type { Effect, JobEvent } from '../model/job-events.ts';

/**
 * What several states have in common: where they lead, and what leads there. A transition to another state says in its
 * description what people read on its arrow in docs/states.md.
 */

export const isOver = (name: string) => ({ type: 'isOver' as const, params: { name } });
export const assessedAs = (is: Assessment['is']) => ({ type: 'assessedAs' as const, params: { is } });
export const answers = (effect: Effect['type']) => ({ type: 'answers' as const, params: { effect } });
const leavesPods = (effect: Effect['type']) => ({ type: 'leavesPods' as const, params: { effect } });
export const endsAs = (phase: FinalPhase) => ({ type: 'end' as const, params: { phase } });
export const failsAt = (effect: Effect['type']) => ({
  guard: answers(effect),
  target: '#job.Finishing' as const,
  actions: endsAs('Failed'),
  description: `${effect} failed`,
});

/** An effect that removes pods, some of which are left: the job waits for them. */
export const waitsForLeft = (type: Effect['type']) => ({
  guard: leavesPods(type),
  actions: 'noteLeft' as const,
});

export const lookAgain = (effect: (context: JobContext) => Effect) => [
  'endLook' as const,
  {
    type: 'perform' as const,
    params: ({ context, event }: Heard): Effect => again(effect(context), context, event.at),
  },
];

/** It is done again when those that were left are gone, */
export const onceGone = (effect: (context: JobContext) => Effect) => ({
  guard: 'haveGone' as const,
  actions: lookAgain(effect),
});

/** and when it is time to look, or when the policy allows it to be done by force. */
export const looksAgain = (effect: (context: JobContext) => Effect) => ({
  guard: 'isTimeToLook' as const,
  actions: lookAgain(effect),
});

interface Heard {
  readonly context: JobContext;
  readonly event: JobEvent;
}

/** Where each assessment leads. */
export const ENDS = [
  {
    guard: assessedAs('stopped'),
    target: '#job.Finishing',
    actions: endsAs('Stopped'),
    description: 'the anchor is gone',
  },
  {
    guard: assessedAs('succeeded'),
    target: '#job.Finishing',
    actions: endsAs('Completed'),
    description: 'succeeded',
  },
  { guard: assessedAs('failed'), target: '#job.Finishing', actions: endsAs('Failed'), description: 'failed' },
] as const;

export const WAYS = [
  ...ENDS,
  { guard: assessedAs('unexamined'), target: '#job.Restarting', description: 'something failed or is gone' },
  { guard: assessedAs('broken'), target: '#job.Restarting', description: 'something failed or is gone' },
  { guard: assessedAs('resizedAnew'), target: '#job.Restarting', description: 'other sizes by a new start' },
  { guard: assessedAs('resized'), target: '#job.Pending.Scaling', description: 'other sizes' },
  {
    guard: assessedAs('launchable'),
    target: '#job.Starting.Launching',
    description: 'the workers are ready',
  },
  { guard: assessedAs('scheduling'), target: '#job.Pending.Scheduling', description: 'a pod has no node' },
  { guard: assessedAs('starting'), target: '#job.Starting.Waiting', description: 'a pod is not ready' },
  { guard: assessedAs('running'), target: '#job.Running', description: 'all are ready' },
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
    actions: 'tellSignalled',
    description: 'cleanUp done',
  },
] as const;

/** All ways but the one that leads to the state itself. */
export const waysFrom = (own: Assessment['is']) => WAYS.filter(({ guard }) => guard.params.is !== own);

/** The policy limits how long a job waits for what the API server refuses. */
export const REFUSED_TOO_LONG = {
  guard: isOver(REFUSED),
  target: '#job.Finishing' as const,
  actions: endsAs('Failed'),
  description: 'refused for too long',
};

export const TRY_AGAIN = { type: 'perform', params: (): Effect => ({ type: 'tryAgain' }) } as const;

/** Where a timer waits for what a rule says, the state itself starts it anew. */
export const AMEND = [
  'amend',
  { type: 'perform', params: (): Effect => ({ type: 'publishRules' }) },
] as const;

/** Times that may be over while the gang is not back yet. */
export const WAITED_LONG_ENOUGH = [
  {
    guard: 'isJudged',
    target: '#job.Restarting',
    actions: 'giveUpWaiting',
    description: 'not back in time',
  },
  {
    guard: 'hasNotStarted',
    target: '#job.Restarting',
    actions: 'failStart',
    description: 'not started in time',
  },
  { guard: isOver(START_UP), actions: 'startWaiting' },
] as const;
