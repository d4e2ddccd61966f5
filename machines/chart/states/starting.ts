import { launchEffect } from '../../attempt/effects.ts';
import type { Effect } from '../../model/effects.ts';
import { jobSetup } from '../job-setup.ts';
import {
  END_WITHOUT_ANCHOR,
  failsAt,
  isFor,
  RESIZE_AT_ONCE,
  START_TIMEOUTS,
  transitionsExcept,
} from '../transitions.ts';

/** From a scheduled gang to a ready one. */
export const startingState = jobSetup.createStateConfig({
  initial: 'Waiting',
  tags: ['starting', 'recovering'],
  states: {
    Waiting: {
      description:
        'Every pod has a node; the program of at least one is not ready, or its pod is terminating.',
      always: transitionsExcept('starting'),
      on: { deadline: START_TIMEOUTS },
    },
    Launching: {
      description:
        'What a role waited for is ready, e.g. the workers of a launcher: its pods are being created.',
      entry: ['beginLaunch', { type: 'perform', params: ({ context }): Effect => launchEffect(context) }],
      always: END_WITHOUT_ANCHOR,
      on: {
        effectDone: {
          guard: isFor('launch'),
          target: 'Waiting',
          actions: ['requireResourceVersion', 'markLaunched', 'recordStarting'],
          description: 'launch done',
        },
        effectFailed: failsAt('launch'),
        amend: RESIZE_AT_ONCE,
      },
    },
  },
});
