import type { FinalPhase } from '../contracts/status.ts';
import { cleanUp, createAttempt, createGroup, drain, launch, publishRoster, scale } from './effects.ts';
import { capture } from './evidence.ts';
import {
  ACTIVE_DEADLINE,
  BACK_OFF,
  CHECKPOINT,
  HOLD,
  initialContext,
  NODE_LOST,
  RECOVERY,
  STALL,
  START_UP,
} from './job-context.ts';
import type { Effect } from './job-events.ts';
import { jobSetup } from './job-setup.ts';
import type { Verdict } from './verdict.ts';

const isOver = (name: string) => ({ type: 'isOver' as const, params: { name } });
const verdictIs = (is: Verdict['is']) => ({ type: 'verdictIs' as const, params: { is } });
const answers = (effect: Effect['type']) => ({ type: 'answers' as const, params: { effect } });
const endsAs = (phase: FinalPhase) => ({ type: 'end' as const, params: { phase } });
const failsAt = (effect: Effect['type']) => ({
  guard: answers(effect),
  target: '#job.Finishing' as const,
  actions: endsAs('Failed'),
});

/** Where each verdict leads. */
const ENDS = [
  { guard: verdictIs('stopped'), target: '#job.Finishing', actions: endsAs('Stopped') },
  { guard: verdictIs('succeeded'), target: '#job.Finishing', actions: endsAs('Completed') },
  { guard: verdictIs('failed'), target: '#job.Finishing', actions: endsAs('Failed') },
] as const;

const WAYS = [
  ...ENDS,
  { guard: verdictIs('unexamined'), target: '#job.Restarting' },
  { guard: verdictIs('broken'), target: '#job.Restarting' },
  { guard: verdictIs('resizedAnew'), target: '#job.Restarting' },
  { guard: verdictIs('resized'), target: '#job.Pending.Scaling' },
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

/** Times that may be over while the gang is not back yet. */
const WAITED_LONG_ENOUGH = [
  { guard: 'isJudged', target: '#job.Restarting', actions: 'giveUpWaiting' },
  { guard: 'hasNotStarted', target: '#job.Restarting', actions: 'failStart' },
  { guard: isOver(START_UP), actions: 'startWaiting' },
] as const;

/**
 * The statechart of a job. Each state that waits for the cluster asks, after every event, what the newest digest means
 * (verdict.ts), and goes where that says; the states that change the cluster decide nothing until they are done.
 */
export const jobMachine = jobSetup.createMachine({
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
    stop: { target: '.Finishing', actions: endsAs('Stopped') },
    suspend: { target: '.Suspended', actions: 'suspend' },
    amend: { actions: ['amend', { type: 'perform', params: (): Effect => ({ type: 'publishRules' }) }] },
    extendDeadline: { actions: 'extendDeadline' },
    hold: { actions: 'wishHold' },
    deadline: [
      { guard: isOver(ACTIVE_DEADLINE), target: '.Finishing', actions: endsAs('Failed') },
      { guard: isOver(NODE_LOST), actions: 'lose' },
      { guard: isOver(RECOVERY), actions: 'waitLonger' },
    ],
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
              actions: ['raiseBarrier', 'startDeadline', 'startWaiting'],
            },
            effectFailed: failsAt('createAttempt'),
          },
        },
        Scaling: {
          description: 'Roles have other sizes from now on: pods are being added or removed.',
          entry: ['resize', { type: 'perform', params: ({ context }): Effect => scale(context) }],
          on: {
            effectDone: {
              guard: answers('scale'),
              target: 'Scheduling',
              actions: ['raiseBarrier', 'startWaiting'],
            },
            effectFailed: failsAt('scale'),
          },
        },
        Scheduling: {
          description: 'All objects exist; at least one pod has no node, or nobody has seen the pods yet.',
          always: waysFrom('scheduling'),
          on: { deadline: WAITED_LONG_ENOUGH },
        },
      },
    },
    Starting: {
      initial: 'Waiting',
      states: {
        Waiting: {
          description: 'Every pod has a node; at least one is not ready, or is leaving.',
          always: waysFrom('starting'),
          on: { deadline: WAITED_LONG_ENOUGH },
        },
        Launching: {
          description: 'The workers are ready; the launcher that waited for them is being created.',
          entry: { type: 'perform', params: ({ context }): Effect => launch(context) },
          on: {
            effectDone: {
              guard: answers('launch'),
              target: 'Waiting',
              actions: ['raiseBarrier', 'launched', 'startWaiting'],
            },
            effectFailed: failsAt('launch'),
          },
        },
      },
    },
    Running: {
      description: 'Every pod is ready, or has succeeded.',
      entry: 'run',
      exit: 'runNoMore',
      always: waysFrom('running'),
      on: {
        deadline: [
          { guard: 'isGettingOn', actions: 'listenOn' },
          { guard: isOver(STALL), target: 'Restarting', actions: 'stall' },
        ],
      },
    },
    Restarting: {
      initial: 'Deciding',
      states: {
        Deciding: {
          description: 'Something failed. It is left at once.',
          always: [
            ...ENDS,
            { guard: 'needsCapture', target: 'Capturing' },
            { guard: 'isHeldOnFailure', target: 'Holding' },
            { guard: 'isOfGang', target: 'Draining' },
            { target: 'BackingOff' },
          ],
        },
        Capturing: {
          description: 'Evidence of what failed is being taken, before anything is deleted.',
          entry: { type: 'perform', params: ({ context }): Effect => capture(context) },
          on: {
            effectDone: { guard: answers('capture'), target: 'Deciding', actions: 'remember' },
            effectFailed: { guard: answers('capture'), target: 'Deciding', actions: 'remember' },
          },
        },
        Holding: {
          description: 'The failed pods are kept for somebody to look at, until they are released.',
          entry: 'hold',
          always: ENDS[0],
          on: {
            hold: { actions: 'hold' },
            release: { target: 'Deciding', actions: 'release' },
            retryNow: { target: 'Deciding', actions: 'release' },
            deadline: { guard: isOver(HOLD), target: 'Deciding', actions: 'release' },
          },
        },
        Draining: {
          description:
            'The gang starts again: every pod of the attempt is told to stop, and waited for. Nothing is made before.',
          entry: ['beginDraining', { type: 'perform', params: ({ context }): Effect => drain(context) }],
          always: ENDS[0],
          on: {
            effectDone: [
              {
                guard: 'leavesPods',
                actions: [
                  'noteLeft',
                  { type: 'perform', params: ({ context }): Effect => drain(context, { patient: true }) },
                ],
              },
              { guard: answers('drain'), target: 'Drained' },
            ],
            effectFailed: failsAt('drain'),
            deadline: [
              { guard: isOver(BACK_OFF), actions: 'endBackOff' },
              {
                guard: 'forcesDeletion',
                actions: {
                  type: 'perform',
                  params: ({ context }): Effect => drain(context, { patient: true, force: true }),
                },
              },
            ],
            retryNow: { actions: 'endBackOff' },
          },
        },
        Drained: {
          description: 'No pod of the attempt is left; the next one begins when the back-off is over.',
          always: [ENDS[0], { guard: 'isRested', target: '#job.Pending', actions: 'startAgain' }],
          on: {
            deadline: { guard: isOver(BACK_OFF), actions: 'endBackOff' },
            retryNow: { actions: 'endBackOff' },
          },
        },
        BackingOff: {
          description: 'Pods failed again soon after they were replaced; the next try waits.',
          entry: 'startBackOff',
          always: [
            ...ENDS,
            { guard: 'isOfGang', target: 'Draining' },
            { guard: 'isRested', target: 'Replacing' },
          ],
          on: {
            deadline: { guard: isOver(BACK_OFF), target: 'Replacing' },
            retryNow: { target: 'Replacing' },
          },
        },
        Replacing: {
          description: 'Failed pods are being deleted, and what is missing is created again.',
          entry: [
            'beforeReplacing',
            { type: 'perform', params: ({ context }): Effect => context.restarting!.effect! },
            'afterReplacing',
            'leaveGang',
          ],
          on: {
            effectDone: {
              guard: answers('restorePods'),
              target: '#job.Pending.Scheduling',
              actions: ['raiseBarrier', 'endForcing', 'startWaiting'],
            },
            effectFailed: failsAt('restorePods'),
            deadline: [
              { guard: 'isJudged', target: 'Deciding', actions: 'giveUpWaiting' },
              {
                guard: 'forcesDeletion',
                actions: {
                  type: 'perform',
                  params: ({ context }): Effect =>
                    ({ ...context.restarting!.effect!, force: true }) as Effect,
                },
              },
            ],
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
      initial: 'Deciding',
      // The outcome is decided: nothing that comes later changes it.
      on: {
        digest: {},
        stop: {},
        suspend: {},
        deadline: {},
        effectFailed: {},
        amend: {},
        extendDeadline: {},
        hold: {},
      },
      states: {
        Deciding: {
          description: 'The outcome is decided. It is left at once.',
          always: [
            { guard: 'wantsCheckpoint', target: 'Checkpointing' },
            { guard: 'failsUncaptured', target: 'Capturing' },
            { guard: 'failsHeld', target: 'Holding' },
            { target: 'CleaningUp' },
          ],
        },
        Checkpointing: {
          description: 'Somebody stops the job, and lets it write a checkpoint first.',
          entry: [
            'awaitCheckpoint',
            {
              type: 'perform',
              params: ({ context }): Effect => ({ type: 'requestCheckpoint', attempt: context.attempt }),
            },
          ],
          on: {
            digest: [
              { guard: 'isAcknowledged', target: 'Deciding', actions: 'hear' },
              { guard: 'isNews', actions: 'hear' },
            ],
            effectFailed: { guard: answers('requestCheckpoint'), target: 'Deciding' },
            deadline: { guard: isOver(CHECKPOINT), target: 'Deciding' },
            stop: { target: 'Deciding' },
          },
        },
        Capturing: {
          description: 'Evidence of what failed is being taken, before anything is deleted.',
          entry: { type: 'perform', params: ({ context }): Effect => capture(context) },
          on: {
            effectDone: { guard: answers('capture'), target: 'Deciding', actions: 'remember' },
            effectFailed: { guard: answers('capture'), target: 'Deciding', actions: 'remember' },
          },
        },
        Holding: {
          description: 'The failed pods are kept for somebody to look at, until they are released.',
          entry: 'hold',
          on: {
            hold: { actions: 'hold' },
            release: { target: 'CleaningUp' },
            stop: { target: 'CleaningUp' },
            deadline: { guard: isOver(HOLD), target: 'CleaningUp' },
          },
        },
        CleaningUp: {
          description: 'The outcome is decided; what the clean-up policy names is being removed.',
          entry: ['endTimers', { type: 'perform', params: ({ context }): Effect => cleanUp(context) }],
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
