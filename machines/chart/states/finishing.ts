import { cleanUpEffect, requestCheckpointEffect } from '../../attempt/effects.ts';
import type { Effect } from '../../model/effects.ts';
import { CHECKPOINT, HOLD } from '../../model/job-context.ts';
import { jobSetup } from '../job-setup.ts';
import {
  APPLY_DIGEST,
  FINAL_STATES,
  isDeadline,
  isFor,
  retryNow,
  retryOnceGone,
  retryOnTimer,
  TRY_AGAIN,
} from '../transitions.ts';
import { capturingState } from './capturing.ts';

/** From an outcome to a cleaned-up job. */
export const finishingState = jobSetup.createStateConfig({
  initial: 'Deciding',
  tags: 'ending',
  // The outcome is decided: later events do not change it.
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
      description: 'The outcome is decided. Transient: left immediately.',
      always: [
        { guard: 'wantsCheckpoint', target: 'Checkpointing', description: 'a checkpoint is requested' },
        { guard: 'failsWithoutEvidence', target: 'Capturing', description: 'something failed' },
        // This capture of no pods cancels the effect in progress before it deletes the pods to inspect.
        {
          guard: 'failsHeldWhileWorking',
          target: 'Holding',
          actions: {
            type: 'perform',
            params: ({ context }): Effect => ({ type: 'capture', attempt: context.attempt, pods: [] }),
          },
          description: 'failed pods will be held',
        },
        { guard: 'failsHeld', target: 'Holding', description: 'failed pods will be held' },
        { target: 'CleaningUp', description: 'otherwise' },
      ],
    },
    Checkpointing: {
      tags: 'checkpointing',
      description: 'A user stopped the job, which may write a checkpoint first.',
      entry: [
        'awaitCheckpoint',
        { type: 'perform', params: ({ context }): Effect => requestCheckpointEffect(context) },
      ],
      on: {
        digest: [
          {
            guard: 'isCheckpointOver',
            target: 'Deciding',
            actions: [...APPLY_DIGEST, 'recordCheckpointAnswer'],
            description: 'the checkpoint is written',
          },
          { guard: 'isNewDigest', actions: APPLY_DIGEST },
        ],
        effectFailed: {
          guard: isFor('requestCheckpoint'),
          target: 'Deciding',
          actions: 'recordCheckpointAnswer',
          description: 'requestCheckpoint failed',
        },
        deadline: {
          guard: isDeadline(CHECKPOINT),
          target: 'Deciding',
          actions: 'recordCheckpointAnswer',
          description: 'no checkpoint in time',
        },
        stop: {
          guard: 'isStopWithoutCheckpoint',
          target: 'Deciding',
          actions: 'recordCheckpointAnswer',
          description: 'stopped again, without a checkpoint',
        },
      },
    },
    Capturing: capturingState,
    Holding: {
      tags: 'held',
      description: 'The failed pods are kept for inspection until they are released.',
      entry: 'hold',
      on: {
        digest: { guard: 'isAnchorGone', target: 'CleaningUp', description: 'the anchor is gone' },
        hold: { actions: 'hold' },
        release: { target: 'CleaningUp', description: 'release' },
        stop: { target: 'CleaningUp', description: 'stop' },
        deadline: { guard: isDeadline(HOLD), target: 'CleaningUp', description: 'the hold is over' },
      },
    },
    CleaningUp: {
      description: 'The outcome is decided; the objects that the clean-up policy names are being deleted.',
      entry: [
        'signalCheckpoint',
        'clearStuckPods',
        { type: 'perform', params: ({ context }): Effect => cleanUpEffect(context) },
      ],
      always: retryOnceGone(cleanUpEffect),
      on: {
        digest: { guard: 'isNewFinalDigest', actions: 'recordFinalDigest' },
        // Retries refused deletions without limit: nothing else would delete these objects.
        effectDone: [
          { guard: 'isCleanUpRefused', actions: 'recordCleanUpRefusal' },
          { guard: 'waitsForStuckPods', actions: 'recordStuckPods' },
          ...FINAL_STATES,
        ],
        effectFailed: { guard: isFor('cleanUp'), actions: 'recordCleanUpRefusal' },
        deadline: retryOnTimer(cleanUpEffect),
        retryNow: [
          { guard: 'isCleanUpWaiting', actions: retryNow(cleanUpEffect) },
          // A try is in progress. The API server may make it wait.
          { guard: 'hasRefusedCleanUp', actions: TRY_AGAIN },
        ],
        stop: {
          guard: 'isStopDuringSignal',
          target: 'CleaningUp',
          reenter: true,
          actions: 'waiveCheckpoint',
          description: 'stopped again, without a checkpoint',
        },
      },
    },
  },
});
