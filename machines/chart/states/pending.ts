import { createAttempt, createGroup, scale } from '../../attempt/effects.ts';
import type { Effect } from '../../model/job-events.ts';
import { jobSetup } from '../job-setup.ts';
import {
  AMEND,
  answers,
  ENDS,
  failsAt,
  looksAgain,
  onceGone,
  WAITED_LONG_ENOUGH,
  waitsForLeft,
  waysFrom,
} from '../transitions.ts';

/** From an accepted manifest to objects that all exist. */
export const pending = jobSetup.createStateConfig({
  initial: 'Accepted',
  states: {
    Accepted: {
      description: 'The anchor exists. It is left at once.',
      always: [
        { guard: 'isSuspended', target: '#job.Suspended', description: 'suspended from its birth' },
        { guard: 'isQueued', target: 'Queued', description: 'its scheduler wants the group first' },
        { target: 'Creating', description: 'at once' },
      ],
    },
    Queued: {
      tags: 'withoutPods',
      description: 'The group is made, and its scheduler has not let it in: until then there are no pods.',
      entry: { type: 'perform', params: ({ context }): Effect => createGroup(context) },
      always: [ENDS[0], { guard: 'isAdmitted', target: 'Creating', description: 'the group is let in' }],
      on: {
        effectFailed: failsAt('createGroup'),
        // No pod is there that a change of size could disturb, and the group may be let in with another one.
        amend: { target: 'Queued', reenter: true, actions: [...AMEND, 'resize'], description: 'amend' },
      },
    },
    Creating: {
      tags: 'withoutPods',
      description: 'Group, Services and pods are being created.',
      entry: { type: 'perform', params: ({ context }): Effect => createAttempt(context) },
      on: {
        effectDone: {
          guard: answers('createAttempt'),
          target: 'Scheduling',
          actions: ['raiseBarrier', 'startDeadline', 'startWaiting', 'startRecovery'],
          description: 'createAttempt done',
        },
        effectFailed: failsAt('createAttempt'),
      },
    },
    Scaling: {
      description: 'Roles have other sizes from now on: pods are being added or removed.',
      entry: ['resize', 'startForcing', { type: 'perform', params: ({ context }): Effect => scale(context) }],
      exit: ['forgetLeft', 'endForcing'],
      always: onceGone(scale),
      on: {
        effectDone: [
          waitsForLeft('scale'),
          {
            guard: answers('scale'),
            target: 'Scheduling',
            actions: ['raiseBarrier', 'startWaiting'],
            description: 'scale done',
          },
        ],
        effectFailed: failsAt('scale'),
        deadline: looksAgain(scale),
      },
    },
    Scheduling: {
      description: 'All objects exist; at least one pod has no node, or nobody has seen the pods yet.',
      always: waysFrom('scheduling'),
      on: { deadline: WAITED_LONG_ENOUGH, amend: { actions: [...AMEND, 'startWaiting'] } },
    },
  },
});
