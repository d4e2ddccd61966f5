import { publishRoster } from '../attempt/effects.ts';
import {
  ACTIVE_DEADLINE,
  AVOIDANCE,
  initialContext,
  NODE_LOST,
  RECOVERY,
  STALL,
} from '../model/job-context.ts';
import { jobSetup } from './job-setup.ts';
import { finishing } from './states/finishing.ts';
import { pending } from './states/pending.ts';
import { restarting } from './states/restarting.ts';
import { starting } from './states/starting.ts';
import { suspended } from './states/suspended.ts';
import { AMEND, endsAs, failsAt, isOver, REFUSED_TOO_LONG, TRY_AGAIN, waysFrom } from './transitions.ts';

/**
 * The statechart of a job. Each state that waits for the cluster asks, after every event, what the newest digest means
 * (assess.ts), and goes where that says; the states that change the cluster decide nothing until they are done.
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
    effectRefused: { actions: 'noteRefusal' },
    retryNow: { guard: 'isRefused', actions: TRY_AGAIN },
    stop: { target: '.Finishing', actions: endsAs('Stopped'), description: 'stop' },
    suspend: { target: '.Suspended', actions: ['suspend', 'startForcing'], description: 'suspend' },
    amend: { actions: AMEND },
    extendDeadline: { actions: 'extendDeadline' },
    hold: { actions: 'wishHold' },
    deadline: [
      {
        guard: isOver(ACTIVE_DEADLINE),
        target: '.Finishing',
        actions: endsAs('Failed'),
        description: 'activeDeadlineSeconds over',
      },
      REFUSED_TOO_LONG,
      { guard: isOver(NODE_LOST), actions: 'lose' },
      { guard: isOver(RECOVERY), actions: 'waitLonger' },
      { guard: isOver(AVOIDANCE), actions: 'endAvoidance' },
    ],
  },
  states: {
    Pending: pending,
    Starting: starting,
    Running: {
      description: 'Every pod is ready, or has succeeded.',
      entry: 'run',
      exit: 'runNoMore',
      always: waysFrom('running'),
      on: {
        amend: { actions: [...AMEND, 'run'] },
        deadline: [
          { guard: 'isGettingOn', actions: 'listenOn' },
          { guard: 'isUnheard', actions: 'listenLonger' },
          {
            guard: isOver(STALL),
            target: 'Restarting',
            actions: 'stall',
            description: 'no progress in time',
          },
        ],
      },
    },
    Restarting: restarting,
    Suspended: suspended,
    Finishing: finishing,
    Completed: { type: 'final', description: 'Every replica that decides has succeeded.' },
    Failed: { type: 'final', description: 'The cause says which rule decided.' },
    Stopped: { type: 'final', description: 'Somebody ended it: it neither succeeded nor failed.' },
  },
});
