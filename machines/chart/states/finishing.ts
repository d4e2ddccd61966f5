import { cleanUp } from '../../attempt/effects.ts';
import { CHECKPOINT, HOLD } from '../../model/job-context.ts';
import type { Effect } from '../../model/job-events.ts';
import { jobSetup } from '../job-setup.ts';
import { answers, FINAL_STATES, isOver, lookAgain, looksAgain, onceGone } from '../transitions.ts';
import { capturing } from './capturing.ts';

/** From an outcome to a job that is cleaned up: nothing changes the outcome any more. */
export const finishing = jobSetup.createStateConfig({
  initial: 'Deciding',
  tags: 'ending',
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
        { guard: 'wantsCheckpoint', target: 'Checkpointing', description: 'a checkpoint is asked for' },
        { guard: 'failsUncaptured', target: 'Capturing', description: 'something failed' },
        // What is under way ends with this, before it deletes what is to be looked at.
        {
          guard: 'failsHeldInMidst',
          target: 'Holding',
          actions: {
            type: 'perform',
            params: ({ context }): Effect => ({ type: 'capture', attempt: context.attempt, pods: [] }),
          },
          description: 'failed pods are to be kept',
        },
        { guard: 'failsHeld', target: 'Holding', description: 'failed pods are to be kept' },
        { target: 'CleaningUp', description: 'nothing else comes first' },
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
          {
            guard: 'isAcknowledged',
            target: 'Deciding',
            actions: ['hear', 'tellAnswer'],
            description: 'the checkpoint is written',
          },
          { guard: 'isNews', actions: 'hear' },
        ],
        effectFailed: {
          guard: answers('requestCheckpoint'),
          target: 'Deciding',
          actions: 'tellAnswer',
          description: 'requestCheckpoint failed',
        },
        deadline: {
          guard: isOver(CHECKPOINT),
          target: 'Deciding',
          actions: 'tellAnswer',
          description: 'no checkpoint in time',
        },
        stop: {
          guard: 'isImpatient',
          target: 'Deciding',
          actions: 'tellAnswer',
          description: 'stopped again, without a checkpoint',
        },
      },
    },
    Capturing: capturing,
    Holding: {
      tags: 'held',
      description: 'The failed pods are kept for somebody to look at, until they are released.',
      entry: 'hold',
      on: {
        digest: { guard: 'isAnchorGone', target: 'CleaningUp', description: 'the anchor is gone' },
        hold: { actions: 'hold' },
        release: { target: 'CleaningUp', description: 'release' },
        stop: { target: 'CleaningUp', description: 'stop' },
        deadline: { guard: isOver(HOLD), target: 'CleaningUp', description: 'held for long enough' },
      },
    },
    CleaningUp: {
      description: 'The outcome is decided; what the clean-up policy names is being removed.',
      entry: [
        'signalCheckpoint',
        'endTimers',
        'forgetLeft',
        { type: 'perform', params: ({ context }): Effect => cleanUp(context) },
      ],
      always: onceGone(cleanUp),
      on: {
        digest: { guard: 'isNewsAtTheEnd', actions: 'watchOn' },
        // What may not be deleted is tried again for as long as it takes: nobody else would.
        effectDone: [
          { guard: 'isCleanUpRefused', actions: 'noteCleanUpRefusal' },
          { guard: 'isWaitingForLeft', actions: 'noteLeft' },
          ...FINAL_STATES,
        ],
        effectFailed: { guard: answers('cleanUp'), actions: 'noteCleanUpRefusal' },
        deadline: looksAgain(cleanUp),
        retryNow: { guard: 'isHeldUp', actions: lookAgain(cleanUp) },
        stop: {
          guard: 'hurriesSignal',
          target: 'CleaningUp',
          reenter: true,
          actions: 'waiveCheckpoint',
          description: 'stopped again, without a checkpoint',
        },
      },
    },
  },
});
