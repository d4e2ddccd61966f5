import { suspendEffect } from '../../attempt/effects.ts';
import type { Effect } from '../../model/effects.ts';
import { jobSetup } from '../job-setup.ts';
import {
  END_TRANSITIONS,
  failsAt,
  isFor,
  REFUSED_TOO_LONG,
  retryOnceGone,
  retryOnTimer,
  waitForStuckPods,
} from '../transitions.ts';

/** A job without pods, until it is resumed. */
export const suspendedState = jobSetup.createStateConfig({
  initial: 'Draining',
  tags: ['withoutPods', 'suspended'],
  // Ignores repeated suspends, and deadlines that were queued before the suspension.
  on: { suspend: {}, deadline: [REFUSED_TOO_LONG, {}] },
  states: {
    Draining: {
      tags: 'deleting',
      description: 'The job is being suspended: its pods, Services and group are being deleted.',
      entry: { type: 'perform', params: ({ context }): Effect => suspendEffect(context) },
      exit: ['clearStuckPods', 'clearRestarting'],
      always: retryOnceGone(suspendEffect),
      on: {
        effectDone: [
          // Waits without limit: a new attempt must not meet these pods.
          waitForStuckPods('suspend'),
          { guard: isFor('suspend'), target: 'Resting', description: 'suspend done' },
        ],
        effectFailed: failsAt('suspend'),
        deadline: retryOnTimer(suspendEffect),
        resume: { actions: 'cancelSuspend' },
        // Suspends again after a resume: the last request wins.
        suspend: { guard: 'isSuspendCancelled', actions: 'suspend' },
      },
    },
    Resting: {
      description: 'The job has no pods and uses no resources; no deadline runs.',
      always: [
        END_TRANSITIONS[0],
        {
          guard: 'isSuspendCancelled',
          target: '#job.Pending',
          actions: 'resume',
          description: 'already resumed',
        },
      ],
      on: { resume: { target: '#job.Pending', actions: 'resume', description: 'resume' } },
    },
  },
});
