import { drain } from '../../attempt/effects.ts';
import { BACK_OFF, HOLD, type JobContext } from '../../model/job-context.ts';
import type { Effect } from '../../model/job-events.ts';
import { jobSetup } from '../job-setup.ts';
import {
  answers,
  ENDS,
  failsAt,
  isOver,
  looksAgain,
  onceGone,
  TRY_AGAIN,
  waitsForLeft,
} from '../transitions.ts';
import { capturing } from './capturing.ts';

/** What was decided when the state was entered. */
const replacement = ({ restarting }: JobContext): Effect => restarting!.effect!;

/** From a failure to pods that are made again. */
export const restarting = jobSetup.createStateConfig({
  initial: 'Deciding',
  entry: 'endWaiting',
  // While something else is waited for.
  on: { deadline: { guard: isOver(BACK_OFF), actions: 'endBackOff' } },
  states: {
    Deciding: {
      description: 'Something failed. It is left at once.',
      always: [
        ...ENDS,
        { guard: 'isWell', target: '#job.Running', actions: 'settle', description: 'it gets on again' },
        { guard: 'needsCapture', target: 'Capturing', description: 'something failed' },
        { guard: 'isHeldOnFailure', target: 'Holding', description: 'failed pods are to be kept' },
        { guard: 'isOfGang', target: 'Draining', description: 'the whole gang starts again' },
        { target: 'BackingOff', description: 'pods or roles start again' },
      ],
    },
    Capturing: capturing,
    Holding: {
      tags: ['held', 'waitsToRestart'],
      description: 'The failed pods are kept for somebody to look at, until they are released.',
      entry: 'hold',
      always: ENDS[0],
      on: {
        hold: { actions: 'hold' },
        release: { target: 'Deciding', actions: 'release', description: 'release' },
        retryNow: { target: 'Deciding', actions: ['release', 'hurry'], description: 'retryNow' },
        deadline: {
          guard: isOver(HOLD),
          target: 'Deciding',
          actions: 'release',
          description: 'held for long enough',
        },
      },
    },
    Draining: {
      tags: 'waitsToRestart',
      description:
        'The gang starts again: every pod of the attempt is told to stop, and waited for. Nothing is made before.',
      entry: ['beginDraining', { type: 'perform', params: ({ context }): Effect => drain(context) }],
      exit: 'forgetLeft',
      always: [ENDS[0], onceGone(drain)],
      on: {
        effectDone: [
          waitsForLeft('drain'),
          { guard: answers('drain'), target: 'Drained', description: 'drain done' },
        ],
        effectFailed: failsAt('drain'),
        deadline: [{ guard: isOver(BACK_OFF), actions: 'endBackOff' }, looksAgain(drain)],
        retryNow: [{ guard: 'isRefused', actions: ['endBackOff', TRY_AGAIN] }, { actions: 'endBackOff' }],
      },
    },
    Drained: {
      tags: 'waitsToRestart',
      description: 'No pod of the attempt is left; the next one begins when the back-off is over.',
      always: [
        ENDS[0],
        {
          guard: 'isRested',
          target: '#job.Pending',
          actions: 'startAgain',
          description: 'the back-off is over',
        },
      ],
      on: {
        deadline: { guard: isOver(BACK_OFF), actions: 'endBackOff' },
        retryNow: { actions: 'endBackOff' },
      },
    },
    BackingOff: {
      tags: 'waitsToRestart',
      description: 'Pods failed again soon after they were replaced; the next try waits.',
      entry: 'startBackOff',
      always: [
        ...ENDS,
        { guard: 'isOfGang', target: 'Deciding', description: 'the whole gang starts again' },
        { guard: 'isRested', target: 'Replacing', description: 'the back-off is over' },
      ],
      // What failed meanwhile is to be replaced as well, and nobody has looked at it yet.
      on: {
        deadline: {
          guard: isOver(BACK_OFF),
          target: 'Deciding',
          actions: 'endBackOff',
          description: 'the back-off is over',
        },
        retryNow: { target: 'Deciding', actions: 'endBackOff', description: 'retryNow' },
      },
    },
    Replacing: {
      description: 'Failed pods are being deleted, and what is missing is created again.',
      entry: [
        'beforeReplacing',
        { type: 'perform', params: ({ context }): Effect => replacement(context) },
        'afterReplacing',
        'leaveGang',
      ],
      exit: 'forgetLeft',
      always: onceGone(replacement),
      on: {
        effectDone: [
          waitsForLeft('restorePods'),
          {
            guard: answers('restorePods'),
            target: '#job.Pending.Scheduling',
            actions: ['raiseBarrier', 'endForcing', 'startWaiting'],
            description: 'restorePods done',
          },
        ],
        effectFailed: failsAt('restorePods'),
        deadline: [
          {
            guard: 'isJudged',
            target: 'Deciding',
            actions: 'giveUpWaiting',
            description: 'not back in time',
          },
          looksAgain(replacement),
        ],
      },
    },
  },
});
