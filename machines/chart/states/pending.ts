import { createAttemptEffect, scaleEffect } from '../../attempt/effects.ts';
import { gateOf } from '../../gate/registry.ts';
import type { Effect } from '../../model/job-events.ts';
import { jobSetup } from '../job-setup.ts';
import {
  END_TRANSITIONS,
  END_WITHOUT_ANCHOR,
  failsAt,
  isFor,
  RESIZE_AT_ONCE,
  retryOnceGone,
  retryOnTimer,
  START_TIMEOUTS,
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
      tags: 'withoutPods',
      description: 'The job waits to be admitted, e.g. by the gang scheduler. There are no pods yet.',
      entry: { type: 'perform', params: ({ context }): Effect => gateOf(context)!.request(context) },
      always: [
        END_TRANSITIONS[0],
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
      entry: { type: 'perform', params: ({ context }): Effect => createAttemptEffect(context) },
      always: END_WITHOUT_ANCHOR,
      on: {
        effectDone: {
          guard: isFor('createAttempt'),
          target: 'Scheduling',
          actions: ['requireResourceVersion', 'recordActive', 'recordStarting', 'startRecovery'],
          description: 'createAttempt done',
        },
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
      always: [END_WITHOUT_ANCHOR, retryOnceGone(scaleEffect)],
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
      tags: ['starting', 'recovering'],
      description:
        'All objects exist; at least one pod has no node, or the watcher has not reported the pods yet.',
      always: transitionsExcept('scheduling'),
      on: { deadline: START_TIMEOUTS },
    },
  },
});
