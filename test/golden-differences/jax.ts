import type { Compatibility, ObjectPart } from './difference.ts';
import { TRAINING_OPERATOR } from './training-operator.ts';

export const JAX_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'JAXJob',
  original: 'training-operator v1.9',
  same: 'Pods, Services, names, labels, ports, variables of the coordinator, conditions and messages.',
  family: TRAINING_OPERATOR,
  differences: [
    {
      id: 'names-that-jax-knows',
      area: 'objects',
      original: 'Sets COORDINATOR_ADDRESS, COORDINATOR_PORT, NUM_PROCESSES and PROCESS_ID.',
      signalbox: 'Those, and the same with `JAX_` before them; JAX_COORDINATOR_ADDRESS has the port in it.',
      why: 'JAX itself reads JAX_COORDINATOR_ADDRESS, and programs for other platforms the others.',
      leavesOut: ['COORDINATOR_ADDRESS', 'COORDINATOR_PORT', 'NUM_PROCESSES', 'PROCESS_ID'].map(
        (name): ObjectPart => ({ kind: 'Pod', path: ['spec', 'containers', 'env'], name: `JAX_${name}` }),
      ),
    },
    {
      id: 'managed-by-is-read',
      area: 'manifest',
      original: 'Does not read `managedBy`: the job runs, whoever should run it.',
      signalbox: 'Reads it as with every other kind.',
      why: 'Two controllers would run it.',
    },
    {
      id: 'no-workers',
      area: 'manifest',
      original: 'A job of 0 workers has succeeded at once.',
      signalbox: 'Refuses it.',
      why: 'It did nothing.',
    },
  ],
};
