/** The status of `ml/resnet` in its first attempt. */
import type { JobStatus, Phase } from '../../contracts/types.ts';
export const aStatus = (phase: Phase, fields: Partial<JobStatus> = {}): JobStatus => ({
  kind: 'PyTorchJob',
  name: 'resnet',
  namespace: 'ml',
  phase,
  state: phase,
  attempt: 1,
  restarts: 0,
  conditions: [],
  replicaStatuses: {},
  warnings: [],
  timeline: [],
  ...fields,
});
