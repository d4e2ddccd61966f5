import type { FinalPhase } from '../contracts/status.ts';
import type { Assessment } from './assess.ts';
import { again } from './effects.ts';
import { type JobContext, REFUSED, START_UP } from './job-context.ts';
import type { Effect, JobEvent } from './job-events.ts';

/** What several states have in common: where they lead, and what leads there. */

export const isOver = (name: string) => ({ type: 'isOver' as const, params: { name } });
export const assessedAs = (is: Assessment['is']) => ({ type: 'assessedAs' as const, params: { is } });
export const answers = (effect: Effect['type']) => ({ type: 'answers' as const, params: { effect } });
const leavesPods = (effect: Effect['type']) => ({ type: 'leavesPods' as const, params: { effect } });
export const endsAs = (phase: FinalPhase) => ({ type: 'end' as const, params: { phase } });
export const failsAt = (effect: Effect['type']) => ({
  guard: answers(effect),
  target: '#job.Finishing' as const,
  actions: endsAs('Failed'),
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
  { guard: assessedAs('stopped'), target: '#job.Finishing', actions: endsAs('Stopped') },
  { guard: assessedAs('succeeded'), target: '#job.Finishing', actions: endsAs('Completed') },
  { guard: assessedAs('failed'), target: '#job.Finishing', actions: endsAs('Failed') },
] as const;

export const WAYS = [
  ...ENDS,
  { guard: assessedAs('unexamined'), target: '#job.Restarting' },
  { guard: assessedAs('broken'), target: '#job.Restarting' },
  { guard: assessedAs('resizedAnew'), target: '#job.Restarting' },
  { guard: assessedAs('resized'), target: '#job.Pending.Scaling' },
  { guard: assessedAs('launchable'), target: '#job.Starting.Launching' },
  { guard: assessedAs('scheduling'), target: '#job.Pending.Scheduling' },
  { guard: assessedAs('starting'), target: '#job.Starting.Waiting' },
  { guard: assessedAs('running'), target: '#job.Running' },
] as const;

export const FINAL_STATES = [
  { guard: { type: 'isCleanedUp', params: { phase: 'Completed' } }, target: '#job.Completed' },
  { guard: { type: 'isCleanedUp', params: { phase: 'Failed' } }, target: '#job.Failed' },
  {
    guard: { type: 'isCleanedUp', params: { phase: 'Stopped' } },
    target: '#job.Stopped',
    actions: 'tellSignalled',
  },
] as const;

/** All ways but the one that leads to the state itself. */
export const waysFrom = (own: Assessment['is']) => WAYS.filter(({ guard }) => guard.params.is !== own);

/** The policy limits how long a job waits for what the API server refuses. */
export const REFUSED_TOO_LONG = {
  guard: isOver(REFUSED),
  target: '#job.Finishing' as const,
  actions: endsAs('Failed'),
};

export const TRY_AGAIN = { type: 'perform', params: (): Effect => ({ type: 'tryAgain' }) } as const;

/** Where a timer waits for what a rule says, the state itself starts it anew. */
export const AMEND = [
  'amend',
  { type: 'perform', params: (): Effect => ({ type: 'publishRules' }) },
] as const;

/** Times that may be over while the gang is not back yet. */
export const WAITED_LONG_ENOUGH = [
  { guard: 'isJudged', target: '#job.Restarting', actions: 'giveUpWaiting' },
  { guard: 'hasNotStarted', target: '#job.Restarting', actions: 'failStart' },
  { guard: isOver(START_UP), actions: 'startWaiting' },
] as const;
