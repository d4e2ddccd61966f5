import { launch } from '../../attempt/effects.ts';
import type { Effect } from '../../model/job-events.ts';
import { jobSetup } from '../job-setup.ts';
import { AMEND, answers, failsAt, WAITED_LONG_ENOUGH, waysFrom } from '../transitions.ts';

/** From a gang that is placed to one that is ready. */
export const starting = jobSetup.createStateConfig({
  initial: 'Waiting',
  states: {
    Waiting: {
      description: 'Every pod has a node; at least one is not ready, or is leaving.',
      always: waysFrom('starting'),
      on: { deadline: WAITED_LONG_ENOUGH, amend: { actions: [...AMEND, 'startWaiting'] } },
    },
    Launching: {
      description: 'The workers are ready; the launcher that waited for them is being created.',
      entry: { type: 'perform', params: ({ context }): Effect => launch(context) },
      on: {
        effectDone: {
          guard: answers('launch'),
          target: 'Waiting',
          actions: ['raiseBarrier', 'launched', 'startWaiting'],
          description: 'launch done',
        },
        effectFailed: failsAt('launch'),
      },
    },
  },
});
