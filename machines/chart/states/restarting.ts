import { and } from 'xstate';
import { drainEffect, requestCheckpointEffect } from '../../attempt/effects.ts';
import type { Effect } from '../../model/effects.ts';
import { BACK_OFF, CHECKPOINT, HOLD, type JobContext } from '../../model/job-context.ts';
import { jobSetup } from '../job-setup.ts';
import {
  BETWEEN_ATTEMPTS,
  END_BACK_OFF,
  END_TRANSITIONS,
  END_WITHOUT_ANCHOR,
  EVICTED,
  failsAt,
  isAssessedAs,
  isDeadline,
  isFor,
  RESIZE_AT_ONCE,
  retryOnceGone,
  retryOnTimer,
  startsAttemptAt,
  TRY_AGAIN,
  waitForStuckPods,
} from '../transitions.ts';
import { capturingState } from './capturing.ts';

/** Returns the effect that was built on entry. */
const replacement = ({ restarting }: JobContext): Effect => restarting!.effect!;

/** From a failure to recreated pods. */
export const restartingState = jobSetup.createStateConfig({
  initial: 'Deciding',
  entry: 'recordLoss',
  on: { deadline: END_BACK_OFF },
  states: {
    Deciding: {
      description: 'Something failed, or the gang has to restart anyway. Transient: left immediately.',
      always: [
        // Neither new sizes nor an eviction wait for what follows from failures.
        END_TRANSITIONS[0],
        {
          guard: and(['restartsAnyway', 'needsCapture']),
          target: 'Capturing',
          description: 'something failed',
        },
        { guard: 'restartsAnyway', target: 'Draining', description: 'new sizes, or evicted' },
        ...END_TRANSITIONS.slice(1),
        EVICTED,
        {
          guard: 'hasRecovered',
          target: '#job.Running',
          actions: 'clearTrouble',
          description: 'it has recovered',
        },
        {
          guard: 'restartsGangExamined',
          target: 'Draining',
          description: 'the whole gang restarts, and more of it has failed meanwhile',
        },
        { guard: 'needsCapture', target: 'Capturing', description: 'something failed' },
        {
          guard: isAssessedAs('suspended'),
          target: '#job.Suspended',
          actions: 'suspendByRule',
          description: 'a rule suspends it',
        },
        {
          guard: 'isLeftToKubelet',
          target: '#job.Starting.Waiting',
          description: 'the kubelet restarts it in place',
        },
        { guard: 'isHeldOnFailure', target: 'Holding', description: 'failed pods will be held' },
        { guard: 'restartsGang', target: 'Draining', description: 'the whole gang restarts' },
        { target: 'BackingOff', description: 'pods or roles restart' },
      ],
    },
    Capturing: capturingState,
    Holding: {
      tags: 'held',
      description: 'The failed pods are kept for inspection until they are released.',
      entry: 'hold',
      always: [END_TRANSITIONS[0], EVICTED],
      on: {
        hold: { actions: 'hold' },
        release: { target: 'Deciding', actions: 'release', description: 'release' },
        retryNow: { target: 'Deciding', actions: ['release', 'skipBackOff'], description: 'retryNow' },
        deadline: {
          guard: isDeadline(HOLD),
          target: 'Deciding',
          actions: 'release',
          description: 'the hold is over',
        },
      },
    },
    Evicted: {
      description: 'The queue that admitted the job takes that back. Transient: left immediately.',
      entry: 'beginEviction',
      always: [
        { guard: 'savesBeforeEviction', target: 'Checkpointing', description: 'a checkpoint is requested' },
        { target: 'Deciding', description: 'otherwise' },
      ],
    },
    Checkpointing: {
      tags: 'checkpointing',
      description: 'The job gives back its place, or leaves a node, and may write a checkpoint first.',
      entry: [
        'requestCheckpoint',
        { type: 'perform', params: ({ context }): Effect => requestCheckpointEffect(context) },
      ],
      always: [
        // A program that has ended needs no other attempt.
        ...END_TRANSITIONS.slice(0, 2),
        {
          guard: 'isSaved',
          target: 'Deciding',
          actions: 'recordCheckpointOver',
          description: 'the checkpoint is written',
        },
      ],
      on: {
        effectFailed: {
          guard: isFor('requestCheckpoint'),
          target: 'Deciding',
          actions: 'recordCheckpointOver',
          description: 'requestCheckpoint failed',
        },
        deadline: {
          guard: isDeadline(CHECKPOINT),
          target: 'Deciding',
          actions: 'recordCheckpointOver',
          description: 'no checkpoint in time',
        },
      },
    },
    Draining: {
      tags: ['deleting', 'restartsGang'],
      description:
        'The gang restarts: every pod of the attempt is deleted. The next attempt waits until all are gone.',
      entry: ['beginDraining', { type: 'perform', params: ({ context }): Effect => drainEffect(context) }],
      exit: 'clearStuckPods',
      always: [END_TRANSITIONS[0], retryOnceGone(drainEffect)],
      on: {
        effectDone: [
          waitForStuckPods('drain'),
          { guard: isFor('drain'), target: 'Drained', description: 'drain done' },
        ],
        effectFailed: failsAt('drain'),
        deadline: [END_BACK_OFF, retryOnTimer(drainEffect)],
        retryNow: [{ guard: 'isRefused', actions: ['endBackOff', TRY_AGAIN] }, { actions: 'endBackOff' }],
      },
    },
    Drained: {
      tags: 'restartsGang',
      description: 'All pods of the attempt are gone; the next attempt begins when the back-off is over.',
      always: [
        END_TRANSITIONS[0],
        {
          guard: 'isEvictedUnstarted',
          target: '#job.Pending',
          actions: 'startAttempt',
          description: 'its queue waits for its place',
        },
        startsAttemptAt('#job.Pending'),
      ],
      on: BETWEEN_ATTEMPTS,
    },
    BackingOff: {
      description:
        'Pods failed again soon after they were replaced, or are missing as before; the next replacement waits.',
      entry: 'startBackOff',
      always: [
        ...END_TRANSITIONS,
        EVICTED,
        { guard: 'restartsGang', target: 'Deciding', description: 'the whole gang restarts' },
        { guard: 'isBackOffOver', target: 'Replacing', description: 'the back-off is over' },
      ],
      // Other pods may have failed meanwhile: they must be captured, and replaced as well.
      on: {
        deadline: {
          guard: isDeadline(BACK_OFF),
          target: 'Deciding',
          actions: 'endBackOff',
          description: 'the back-off is over',
        },
        retryNow: { target: 'Deciding', actions: 'endBackOff', description: 'retryNow' },
      },
    },
    Replacing: {
      tags: ['recovering', 'deleting'],
      description: 'Failed pods are being deleted, and what is missing is created again.',
      entry: [
        'beforeReplacing',
        { type: 'perform', params: ({ context }): Effect => replacement(context) },
        'afterReplacing',
        'leaveGang',
      ],
      exit: 'clearStuckPods',
      always: [END_WITHOUT_ANCHOR, EVICTED, retryOnceGone(replacement)],
      on: {
        effectDone: [
          waitForStuckPods('restorePods'),
          {
            guard: isFor('restorePods'),
            target: '#job.Pending.Scheduling',
            actions: ['requireResourceVersion', 'clearRestarting', 'recordStarting'],
            description: 'restorePods done',
          },
        ],
        effectFailed: failsAt('restorePods'),
        amend: RESIZE_AT_ONCE,
        deadline: [
          {
            guard: 'isRecoveryOver',
            target: 'Deciding',
            actions: 'markNotRecovered',
            description: 'not recovered in time',
          },
          retryOnTimer(replacement),
        ],
      },
    },
  },
});
