import { assign, setup } from 'xstate';
import type { Cause, FinalPhase } from '../contracts/status.ts';
import { cleanUpScope } from './clean-up-policy.ts';
import { isNews, withDigest } from './digest-order.ts';
import { ACTIVE_DEADLINE, initialContext, type JobContext, type JobInput } from './job-context.ts';
import type { Effect, JobEvent } from './job-events.ts';
import { sumOver } from './role-counts.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** Where each verdict leads. */
const WAYS = [
  { guard: verdictIs('stopped'), target: '#job.Finishing', actions: endsAs('Stopped') },
  { guard: verdictIs('succeeded'), target: '#job.Finishing', actions: endsAs('Completed') },
  { guard: verdictIs('failed'), target: '#job.Finishing', actions: endsAs('Failed') },
  { guard: verdictIs('broken'), target: '#job.Restarting' },
  { guard: verdictIs('scheduling'), target: '#job.Pending.Scheduling' },
  { guard: verdictIs('starting'), target: '#job.Starting' },
  { guard: verdictIs('running'), target: '#job.Running' },
] as const;

const FINAL_STATES = [
  { guard: { type: 'endsAs', params: { phase: 'Completed' } }, target: '#job.Completed' },
  { guard: { type: 'endsAs', params: { phase: 'Failed' } }, target: '#job.Failed' },
  { target: '#job.Stopped' },
] as const;

/** All ways but the one that leads to the state itself. */
const waysFrom = (own: Verdict['is']) => WAYS.filter(({ guard }) => guard.params.is !== own);

/**
 * The statechart of a job. Each state that waits for the cluster asks, after every event, what the newest digest means
 * (verdict.ts), and goes where that says; the states that change the cluster decide nothing until they are done.
 */
export const jobMachine = setup({
  types: {
    context: {} as JobContext,
    events: {} as JobEvent,
    input: {} as JobInput,
  },
  actions: {
    /** Done by the workflow. Without a body that throws, a host that forgets to would go unnoticed. */
    perform: (_, _effect: Effect) => {
      throw new Error('effects are performed by the host of the machine, not by the machine');
    },
    hear: assign(({ context, event }) =>
      event.type === 'digest' ? withDigest(context, event.digest) : context,
    ),
    /** From now on only what was seen after the change counts. */
    raiseBarrier: assign(({ context, event }) =>
      event.type === 'effectDone' ? { barrier: Math.max(context.barrier, event.revision) } : {},
    ),
    startDeadline: assign(({ context, event }) => {
      const seconds = context.plan.runPolicy.activeDeadlineSeconds;
      return seconds === undefined ? {} : { deadlines: { [ACTIVE_DEADLINE]: event.at + seconds * 1000 } };
    }),
    chargeRestarts: assign(({ context }) => {
      const verdict = verdictOf(context);
      const wanted = verdict.is === 'broken' ? verdict.replace.length + verdict.missing : 0;
      const { restarts } = context;
      return { restarts: { ...restarts, replaced: restarts.replaced + wanted } };
    }),
    end: assign(({ context, event }, { phase }: { phase: FinalPhase }) => ({
      outcome: { phase, cause: causeOfEnd(context, event) },
      deadlines: {},
    })),
  },
  guards: {
    verdictIs: ({ context }, { is }: { is: Verdict['is'] }) => verdictOf(context).is === is,
    isNews: ({ context, event }) => event.type === 'digest' && isNews(context, event.digest),
    endsAs: ({ context }, { phase }: { phase: FinalPhase }) => context.outcome?.phase === phase,
  },
}).createMachine({
  id: 'job',
  context: ({ input }) => initialContext(input),
  initial: 'Pending',
  on: {
    digest: { guard: 'isNews', actions: 'hear' },
    stop: { target: '.Finishing', actions: { type: 'end', params: { phase: 'Stopped' } } },
    deadline: { target: '.Finishing', actions: { type: 'end', params: { phase: 'Failed' } } },
    effectFailed: { target: '.Finishing', actions: { type: 'end', params: { phase: 'Failed' } } },
  },
  states: {
    Pending: {
      initial: 'Creating',
      states: {
        Creating: {
          entry: {
            type: 'perform',
            params: ({ context }): Effect => ({ type: 'createAttempt', attempt: context.attempt }),
          },
          on: { effectDone: { target: 'Scheduling', actions: ['raiseBarrier', 'startDeadline'] } },
        },
        Scheduling: {
          always: waysFrom('scheduling'),
        },
      },
    },
    Starting: { always: waysFrom('starting') },
    Running: { always: waysFrom('running') },
    Restarting: {
      initial: 'Replacing',
      states: {
        Replacing: {
          entry: [
            { type: 'perform', params: ({ context }): Effect => restorePods(context) },
            'chargeRestarts',
          ],
          on: { effectDone: { target: '#job.Pending.Scheduling', actions: 'raiseBarrier' } },
        },
      },
    },
    Finishing: {
      initial: 'CleaningUp',
      // The outcome is decided: nothing that comes later changes it.
      on: { digest: {}, stop: {}, deadline: {} },
      states: {
        CleaningUp: {
          entry: { type: 'perform', params: ({ context }): Effect => cleanUp(context) },
          // What could not be cleaned up is the sweep's; the outcome stands either way.
          on: { effectDone: FINAL_STATES, effectFailed: FINAL_STATES },
        },
      },
    },
    Completed: { type: 'final' },
    Failed: { type: 'final' },
    Stopped: { type: 'final' },
  },
});

function verdictIs(is: Verdict['is']) {
  return { type: 'verdictIs' as const, params: { is } };
}

function endsAs(phase: FinalPhase) {
  return { type: 'end' as const, params: { phase } };
}

function restorePods(context: JobContext): Effect {
  const verdict = verdictOf(context);
  const replace = verdict.is === 'broken' ? verdict.replace : [];
  // A native gang counts live pods only: once a member has succeeded, a replacement would wait in it for ever.
  const asGang = sumOver(context, ({ succeeded }) => succeeded) === 0;
  return { type: 'restorePods', attempt: context.attempt, replace, done: context.done, asGang };
}

function cleanUp({ plan, outcome }: JobContext): Effect {
  const { phase, cause } = outcome!;
  const scope = cleanUpScope(phase, cause, plan.runPolicy.cleanPodPolicy);
  return { type: 'cleanUp', outcome: phase, scope };
}

function causeOfEnd(context: JobContext, event: JobEvent): Cause | undefined {
  switch (event.type) {
    case 'stop':
    case 'effectFailed':
      return event.cause;
    case 'deadline': {
      const rule = `spec.runPolicy.activeDeadlineSeconds: ${context.plan.runPolicy.activeDeadlineSeconds}`;
      return {
        reason: 'DeadlineExceeded',
        rule,
        message: `the job was active for longer than allowed; ${rule}`,
      };
    }
    default: {
      const verdict = verdictOf(context);
      return 'cause' in verdict ? verdict.cause : undefined;
    }
  }
}
