import type { Compatibility, ObjectPart } from './difference.ts';
import { TRAINING_OPERATOR } from './training-operator.ts';

export const JAX_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'JAXJob',
  original: 'training-operator v1.9',
  family: TRAINING_OPERATOR,
  differences: [
    {
      id: 'names-that-jax-knows',
      area: 'objects',
      original: 'Sets COORDINATOR_ADDRESS, COORDINATOR_PORT, NUM_PROCESSES and PROCESS_ID.',
      signalbox:
        'Sets those, and the same with the prefix `JAX_`; JAX_COORDINATOR_ADDRESS includes the port.',
      why: 'JAX itself reads JAX_COORDINATOR_ADDRESS; programs for other platforms read the others.',
      leavesOut: ['COORDINATOR_ADDRESS', 'COORDINATOR_PORT', 'NUM_PROCESSES', 'PROCESS_ID'].map(
        (name): ObjectPart => ({ kind: 'Pod', path: ['spec', 'containers', 'env'], name: `JAX_${name}` }),
      ),
    },
    {
      id: 'managed-by-is-read',
      area: 'manifest',
      original: 'Ignores `managedBy` and runs the job anyway.',
      signalbox: 'Honours it, as with every other kind.',
      why: 'Two controllers would run it.',
    },
    {
      id: 'no-workers',
      area: 'manifest',
      original: 'A job with 0 workers succeeds at once.',
      signalbox: 'Rejects it.',
      why: 'Such a job does nothing.',
    },
  ],
};
