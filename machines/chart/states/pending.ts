import { and } from 'xstate';
import { createAttemptEffect, liftGatesEffect, rollBackEffect, scaleEffect } from '../../attempt/effects.ts';
import { gateOf } from '../../gate/gate.ts';
import type { Effect } from '../../model/effects.ts';
import { jobSetup } from '../job-setup.ts';
import {
  BETWEEN_ATTEMPTS,
  END_TRANSITIONS,
  END_WITHOUT_ANCHOR,
  EVICTED,
  endsAs,
  failsAt,
  isFor,
  RESIZE_AT_ONCE,
  retryOnceGone,
  retryOnTimer,
  START_TIMEOUTS,
  startsAttemptAt,
  transitionsExcept,
  waitForStuckPods,
} from '../transitions.ts';

/** From an accepted manifest to objects that all exist. */
export const pendingState = jobSetup.createStateConfig({
  initial: 'Accepted',
  states: {
    Accepted: {
      description: 'The anchor exists. Transient: left immediately.',
      always: [
        { guard: 'isSuspended', target: '#job.Suspended', description: 'suspended in its manifest' },
        { guard: 'isGated', target: 'Queued', description: 'it must be admitted first' },
        { target: 'Creating', description: 'immediately' },
      ],
    },
    Queued: {
      tags: ['withoutPods', 'unplaced'],
      description: 'The job waits to be admitted, e.g. by the gang scheduler. There are no pods yet.',
      entry: [
        'recordWaitForGroup',
        { type: 'perform', params: ({ context }): Effect => gateOf(context)!.request(context) },
      ],
      always: [
        END_TRANSITIONS[0],
        {
          guard: 'isEvictedUnstarted',
          target: 'Accepted',
          actions: 'startAttempt',
          description: 'it was evicted before it was admitted',
        },
        { guard: 'isGateOpen', target: 'Creating', description: 'it is admitted' },
      ],
      on: {
        effectFailed: { ...failsAt('createGroup'), guard: 'isForGate', description: 'its request failed' },
        // There are no pods that a resize could disturb, and the job may be admitted in its new size.
        amend: { target: 'Queued', reenter: true, actions: ['amend', 'resize'], description: 'amend' },
      },
    },
    Creating: {
      tags: 'withoutPods',
      description: 'Group, Services and pods are being created.',
      entry: [
        'recordWait',
        { type: 'perform', params: ({ context }): Effect => createAttemptEffect(context) },
      ],
      always: [END_WITHOUT_ANCHOR, EVICTED],
      on: {
        effectDone: [
          {
            guard: { type: 'isTurnOver', params: { effect: 'createAttempt' } },
            target: 'Queued',
            actions: 'forgetGrant',
            description: 'what its lane granted was over',
          },
          {
            guard: 'isUnadmitted',
            target: 'Accepted',
            actions: 'startAttempt',
            description: 'it is not admitted any more',
          },
          {
            guard: isFor('createAttempt'),
            target: 'Scheduling',
            actions: [
              'requireResourceVersion',
              'recordPlace',
              'recordActive',
              'recordStarting',
              'startRecovery',
            ],
            description: 'createAttempt done',
          },
        ],
        effectFailed: failsAt('createAttempt'),
        // Some objects may not exist yet, which only a creation from the beginning makes.
        amend: RESIZE_AT_ONCE.filter(({ guard }) => guard !== 'resizesLive'),
      },
    },
    Scaling: {
      tags: ['starting', 'recovering', 'deleting'],
      description: 'Role sizes have changed: pods are being added or removed.',
      entry: [
        'resize',
        'recordDeleting',
        { type: 'perform', params: ({ context }): Effect => scaleEffect(context) },
      ],
      exit: 'clearStuckPods',
      always: [END_WITHOUT_ANCHOR, EVICTED, retryOnceGone(scaleEffect)],
      on: {
        effectDone: [
          waitForStuckPods('scale'),
          {
            guard: isFor('scale'),
            target: 'Scheduling',
            actions: ['requireResourceVersion', 'clearRestarting', 'recordStarting'],
            description: 'scale done',
          },
        ],
        effectFailed: failsAt('scale'),
        deadline: retryOnTimer(scaleEffect),
        amend: RESIZE_AT_ONCE,
      },
    },
    Scheduling: {
      tags: ['starting', 'recovering', 'unplaced'],
      description:
        'All objects exist; at least one pod has no node, or the watcher has not reported the pods yet.',
      exit: 'recordGangPlaced',
      always: [
        ...transitionsExcept('scheduling'),
        { guard: 'hasTurn', target: 'Lifting', description: 'it is the turn of the gated gang' },
      ],
      on: { deadline: START_TIMEOUTS },
    },
    Lifting: {
      tags: 'unplaced',
      description:
        'The gated gang has its turn: there is room for all of it, or its policy does not wait for that. The gates of its pods are being lifted.',
      entry: [{ type: 'perform', params: ({ context }): Effect => liftGatesEffect(context) }, 'beginLift'],
      always: [END_TRANSITIONS[0], EVICTED],
      on: {
        effectDone: [
          {
            guard: { type: 'isTurnOver', params: { effect: 'liftGates' } },
            target: 'Scheduling',
            actions: 'forgetLift',
            description: 'its turn was over',
          },
          {
            guard: isFor('liftGates'),
            target: 'Scheduling',
            actions: ['requireResourceVersion', 'recordStarting'],
            description: 'liftGates done',
          },
        ],
        effectFailed: failsAt('liftGates'),
        amend: RESIZE_AT_ONCE,
      },
    },
    RollingBack: {
      tags: ['deleting', 'restartsGang'],
      description:
        'Not enough pods of the gang have a node in time: unless they do after all, all its pods are deleted.',
      entry: ['beginRollBack', { type: 'perform', params: ({ context }): Effect => rollBackEffect(context) }],
      exit: 'clearStuckPods',
      always: [END_TRANSITIONS[0], retryOnceGone(rollBackEffect)],
      on: {
        effectDone: [
          {
            guard: 'isGangPlaced',
            target: 'Scheduling',
            actions: 'keepPlacedGang',
            description: 'enough pods have a node',
          },
          waitForStuckPods('rollBack'),
          {
            guard: and([isFor('rollBack'), 'failsUnplaced']),
            target: '#job.Finishing',
            actions: endsAs('Failed'),
            description: 'not placed in time',
          },
          {
            guard: isFor('rollBack'),
            target: 'RolledBack',
            actions: 'recordRollBack',
            description: 'rollBack done',
          },
        ],
        effectFailed: failsAt('rollBack'),
        deadline: retryOnTimer(rollBackEffect),
      },
    },
    RolledBack: {
      tags: ['withoutPods', 'restartsGang'],
      description: 'The pods of the gang are gone; they are made anew when the back-off is over.',
      always: [END_TRANSITIONS[0], startsAttemptAt('Accepted')],
      on: BETWEEN_ATTEMPTS,
    },
  },
});
