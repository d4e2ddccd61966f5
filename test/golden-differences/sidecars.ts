import type { Difference } from './difference.ts';

export const SIDECARS: readonly Difference[] = [
  {
    id: 'main-container-decides',
    area: 'running',
    original:
      'A pod has its result when all its containers have ended; beside a sidecar a finished job stays Running.',
    signalbox: 'It has the result of its main container, unless the policy has `waitForSidecars: true`.',
    why: 'A proxy that is injected into a pod must not keep a job, or its GPUs, for ever.',
  },
  {
    id: 'sidecars-end-with-the-job',
    area: 'ending',
    original: 'Sidecars of finished programs run on; their jobs do not end.',
    signalbox: 'Deletes pods in which only sidecars run, whatever `cleanPodPolicy` says.',
    why: 'Nothing else would end them.',
  },
];
