import { captureEffect } from '../../failures/evidence.ts';
import type { Effect } from '../../model/effects.ts';
import { jobSetup } from '../job-setup.ts';
import { isFor } from '../transitions.ts';

/** Shared by restarts and failures. The parent's `Deciding` chooses what follows. */
export const capturingState = jobSetup.createStateConfig({
  tags: 'capturing',
  description: 'Evidence of the failure is being collected before anything is deleted.',
  entry: ['recordCaptureStart', { type: 'perform', params: ({ context }): Effect => captureEffect(context) }],
  on: {
    effectDone: {
      guard: isFor('capture'),
      target: 'Deciding',
      actions: 'recordEvidence',
      description: 'capture done',
    },
    effectFailed: {
      guard: isFor('capture'),
      target: 'Deciding',
      actions: 'recordEvidence',
      description: 'capture failed',
    },
    deadline: {
      guard: 'isEvidenceLate',
      target: 'Deciding',
      actions: 'recordEvidence',
      description: 'evidence is refused for a minute',
    },
  },
});
