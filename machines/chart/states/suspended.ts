import { suspend } from '../../attempt/effects.ts';
import type { Effect } from '../../model/job-events.ts';
import { jobSetup } from '../job-setup.ts';
import {
  answers,
  ENDS,
  failsAt,
  looksAgain,
  onceGone,
  REFUSED_TOO_LONG,
  waitsForLeft,
} from '../transitions.ts';

/** A job without pods, until somebody wants it to go on. */
export const suspended = jobSetup.createStateConfig({
  initial: 'Draining',
  tags: 'withoutPods',
  // Once is enough; and a deadline that was on its way comes too late.
  on: { suspend: {}, deadline: [REFUSED_TOO_LONG, {}] },
  states: {
    Draining: {
      description:
        'The job is to have no pods; those it has are being removed, with their Services and group.',
      entry: { type: 'perform', params: (): Effect => suspend() },
      exit: ['forgetLeft', 'endForcing'],
      always: onceGone(suspend),
      on: {
        effectDone: [
          // A new attempt must not meet them, so that they are waited for however long it takes.
          waitsForLeft('suspend'),
          { guard: answers('suspend'), target: 'Resting', description: 'suspend done' },
        ],
        effectFailed: failsAt('suspend'),
        deadline: looksAgain(suspend),
        resume: { actions: 'callOff' },
        // After all; the last word counts.
        suspend: { guard: 'isCalledOff', actions: ['suspend', 'startForcing'] },
      },
    },
    Resting: {
      description: 'The job has no pods, holds nothing, and no deadline runs.',
      always: [
        ENDS[0],
        {
          guard: 'isCalledOff',
          target: '#job.Pending',
          actions: 'resume',
          description: 'resume came before',
        },
      ],
      on: { resume: { target: '#job.Pending', actions: 'resume', description: 'resume' } },
    },
  },
});
