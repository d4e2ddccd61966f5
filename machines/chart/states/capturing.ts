import { capture } from '../../failures/evidence.ts';
import type { Effect } from '../../model/job-events.ts';
import { jobSetup } from '../job-setup.ts';
import { answers } from '../transitions.ts';

/** On the way to a restart, and to a failure. What is to be done then is decided where it began. */
export const capturing = jobSetup.createStateConfig({
  description: 'Evidence of what failed is being taken, before anything is deleted.',
  entry: ['beginCapture', { type: 'perform', params: ({ context }): Effect => capture(context) }],
  on: {
    effectDone: {
      guard: answers('capture'),
      target: 'Deciding',
      actions: 'remember',
      description: 'capture done',
    },
    effectFailed: {
      guard: answers('capture'),
      target: 'Deciding',
      actions: 'remember',
      description: 'capture failed',
    },
    deadline: {
      guard: 'isEvidenceLate',
      target: 'Deciding',
      actions: 'remember',
      description: 'evidence is refused for a minute',
    },
  },
});
