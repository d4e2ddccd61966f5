import { assign, setup } from 'xstate';
import type { FinalPhase } from '../contracts/status.ts';
import { nextBackOff } from './back-off.ts';
import { isNews, withDigest } from './digest-order.ts';
import { cleanUp, createAttempt, createGroup, launch, publishRoster, restorePods } from './effects.ts';
import { causeOfEnd } from './end-cause.ts';
import { ACTIVE_DEADLINE, BACK_OFF, initialContext, type JobContext, type JobInput } from './job-context.ts';
import type { Effect, JobEvent } from './job-events.ts';
import { rosterDue } from './roster.ts';
import { hasAnySucceeded } from './stranded.ts';
import { resumed, suspended } from './suspension.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** Where each verdict leads. */
const ENDS = [
  { guard: verdictIs('stopped'), target: '#job.Finishing', actions: endsAs('Stopped') },
  { guard: verdictIs('succeeded'), target: '#job.Finishing', actions: endsAs('Completed') },
  { guard: verdictIs('failed'), target: '#job.Finishing', actions: endsAs('Failed') },
] as const;

const WAYS = [
  ...ENDS,
  { guard: verdictIs('broken'), target: '#job.Restarting' },
  { guard: verdictIs('launchable'), target: '#job.Starting.Launching' },
  { guard: verdictIs('scheduling'), target: '#job.Pending.Scheduling' },
  { guard: verdictIs('starting'), target: '#job.Starting.Waiting' },
  { guard: verdictIs('running'), target: '#job.Running' },
] as const;

const FINAL_STATES = [
  { guard: { type: 'isCleanedUp', params: { phase: 'Completed' } }, target: '#job.Completed' },
  { guard: { type: 'isCleanedUp', params: { phase: 'Failed' } }, target: '#job.Failed' },
  { guard: { type: 'isCleanedUp', params: { phase: 'Stopped' } }, target: '#job.Stopped' },
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
    noteRoster: assign(({ context }) => ({ roster: rosterDue(context) ?? context.roster })),
    launched: assign({ launched: true }),
    leaveGang: assign(({ context }) => ({ leftGang: hasAnySucceeded(context) })),
    suspend: assign(({ event }) => (event.type === 'suspend' ? suspended(event.cause) : {})),
    /** A job that was to be suspended is to go on before it is. */
    callOff: assign({ suspension: undefined }),
    resume: assign(({ context }) => resumed(context)),
    /** From now on only what was seen after the change counts. */
    raiseBarrier: assign(({ context, event }) =>
      event.type === 'effectDone' ? { barrier: Math.max(context.barrier, event.revision) } : {},
    ),
    startDeadline: assign(({ context, event }) => {
      const seconds = context.plan.runPolicy.activeDeadlineSeconds;
      if (seconds === undefined) return {};
      return { deadlines: { ...context.deadlines, [ACTIVE_DEADLINE]: event.at + seconds * 1000 } };
    }),
    /** What is merely gone, e.g. deleted by hand, is made again at once; what failed may fail again. */
    startBackOff: assign(({ context, event }) => {
      const verdict = verdictOf(context);
      if (verdict.is !== 'broken' || verdict.replace.length === 0) return {};
      const backOff = nextBackOff(context.backOff, event.at);
      const deadlines = { ...context.deadlines, [BACK_OFF]: backOff.at };
      return backOff.at > event.at ? { backOff, deadlines } : { backOff };
    }),
    endBackOff: assign(({ context }) => {
      const { [BACK_OFF]: _, ...deadlines } = context.deadlines;
      return { deadlines };
    }),
    chargeRestarts: assign(({ context }) => {
      const verdict = verdictOf(context);
      const wanted = verdict.is === 'broken' ? verdict.restarts : 0;
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
    isOver: ({ event }, { name }: { name: string }) => event.type === 'deadline' && event.name === name,
    isRested: ({ context }) => context.deadlines[BACK_OFF] === undefined,
    isSuspended: ({ context }) => context.suspension !== undefined,
    isCalledOff: ({ context }) => context.suspension === undefined,
    isQueued: ({ context }) => context.queued === true,
    isAdmitted: ({ context }) => context.digest?.gang?.admitted === true,
    changesRoster: ({ context, event }) =>
      event.type === 'digest' &&
      isNews(context, event.digest) &&
      rosterDue(withDigest(context, event.digest)) !== undefined,
    isNews: ({ context, event }) => event.type === 'digest' && isNews(context, event.digest),
    /** Of an effect that was cancelled the end may still be told; it is not the end of what came after. */
    answers: ({ event }, { effect }: { effect: Effect['type'] }) =>
      'effect' in event && event.effect === effect,
    isCleanedUp: ({ context, event }, { phase }: { phase: FinalPhase }) =>
      'effect' in event && event.effect === 'cleanUp' && context.outcome?.phase === phase,
  },
}).createMachine({
  id: 'job',
  context: ({ input }) => initialContext(input),
  initial: 'Pending',
  on: {
    digest: [
      // Beside everything else: nothing waits for it.
      {
        guard: 'changesRoster',
        actions: ['hear', { type: 'perform', params: ({ context }) => publishRoster(context) }, 'noteRoster'],
      },
      { guard: 'isNews', actions: 'hear' },
    ],
    effectFailed: failsAt('publishRoster'),
    stop: { target: '.Finishing', actions: { type: 'end', params: { phase: 'Stopped' } } },
    suspend: { target: '.Suspended', actions: 'suspend' },
    deadline: {
      guard: { type: 'isOver', params: { name: ACTIVE_DEADLINE } },
      target: '.Finishing',
      actions: { type: 'end', params: { phase: 'Failed' } },
    },
  },
  states: {
    Pending: {
      initial: 'Accepted',
      states: {
        Accepted: {
          description: 'The anchor exists. It is left at once.',
          always: [
            { guard: 'isSuspended', target: '#job.Suspended' },
            { guard: 'isQueued', target: 'Queued' },
            { target: 'Creating' },
          ],
        },
        Queued: {
          description:
            'The group is made, and its scheduler has not let it in: until then there are no pods.',
          entry: { type: 'perform', params: ({ context }): Effect => createGroup(context) },
          always: { guard: 'isAdmitted', target: 'Creating' },
          on: { effectFailed: failsAt('createGroup') },
        },
        Creating: {
          description: 'Group, Services and pods are being created.',
          entry: { type: 'perform', params: ({ context }): Effect => createAttempt(context) },
          on: {
            effectDone: {
              guard: answers('createAttempt'),
              target: 'Scheduling',
              actions: ['raiseBarrier', 'startDeadline'],
            },
            effectFailed: failsAt('createAttempt'),
          },
        },
        Scheduling: {
          description: 'All objects exist; at least one pod has no node, or nobody has seen the pods yet.',
          always: waysFrom('scheduling'),
        },
      },
    },
    Starting: {
      initial: 'Waiting',
      states: {
        Waiting: {
          description: 'Every pod has a node; at least one is not ready, or is leaving.',
          always: waysFrom('starting'),
        },
        Launching: {
          description: 'The workers are ready; the launcher that waited for them is being created.',
          entry: { type: 'perform', params: ({ context }): Effect => launch(context) },
          on: {
            effectDone: {
              guard: answers('launch'),
              target: 'Waiting',
              actions: ['raiseBarrier', 'launched'],
            },
            effectFailed: failsAt('launch'),
          },
        },
      },
    },
    Running: {
      description: 'Every pod is ready, or has succeeded.',
      always: waysFrom('running'),
    },
    Restarting: {
      initial: 'BackingOff',
      states: {
        BackingOff: {
          description: 'Pods failed again soon after they were replaced; the next try waits.',
          entry: 'startBackOff',
          always: [...ENDS, { guard: 'isRested', target: 'Replacing' }],
          on: { deadline: { guard: { type: 'isOver', params: { name: BACK_OFF } }, target: 'Replacing' } },
        },
        Replacing: {
          description: 'Failed pods are being deleted, and what is missing is created again.',
          entry: [
            { type: 'perform', params: ({ context }): Effect => restorePods(context) },
            'chargeRestarts',
            'leaveGang',
            'endBackOff',
          ],
          on: {
            effectDone: {
              guard: answers('restorePods'),
              target: '#job.Pending.Scheduling',
              actions: 'raiseBarrier',
            },
            effectFailed: failsAt('restorePods'),
          },
        },
      },
    },
    Suspended: {
      initial: 'Draining',
      // Once is enough; and a deadline that was on its way comes too late.
      on: { suspend: {}, deadline: {} },
      states: {
        Draining: {
          description:
            'The job is to have no pods; those it has are being removed, with their Services and group.',
          entry: { type: 'perform', params: (): Effect => ({ type: 'suspend' }) },
          on: {
            effectDone: { guard: answers('suspend'), target: 'Resting' },
            effectFailed: failsAt('suspend'),
            resume: { actions: 'callOff' },
          },
        },
        Resting: {
          description: 'The job has no pods, holds nothing, and no deadline runs.',
          always: [ENDS[0], { guard: 'isCalledOff', target: '#job.Pending', actions: 'resume' }],
          on: { resume: { target: '#job.Pending', actions: 'resume' } },
        },
      },
    },
    Finishing: {
      initial: 'CleaningUp',
      // The outcome is decided: nothing that comes later changes it.
      on: { digest: {}, stop: {}, suspend: {}, deadline: {}, effectFailed: {} },
      states: {
        CleaningUp: {
          description: 'The outcome is decided; what the clean-up policy names is being removed.',
          entry: { type: 'perform', params: ({ context }): Effect => cleanUp(context) },
          // What could not be cleaned up is the sweep's; the outcome stands either way.
          on: { effectDone: FINAL_STATES, effectFailed: FINAL_STATES },
        },
      },
    },
    Completed: { type: 'final', description: 'Every replica that decides has succeeded.' },
    Failed: { type: 'final', description: 'The cause says which rule decided.' },
    Stopped: { type: 'final', description: 'Somebody ended it: it neither succeeded nor failed.' },
  },
});

function verdictIs(is: Verdict['is']) {
  return { type: 'verdictIs' as const, params: { is } };
}

function answers(effect: Effect['type']) {
  return { type: 'answers' as const, params: { effect } };
}

function failsAt(effect: Effect['type']) {
  return { guard: answers(effect), target: '#job.Finishing' as const, actions: endsAs('Failed') };
}

function endsAs(phase: FinalPhase) {
  return { type: 'end' as const, params: { phase } };
}
