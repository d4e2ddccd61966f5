import { podNameOf } from '../../../contracts/labels.ts';
import { roleKey } from '../../../contracts/roles.ts';

/** Returns a pod's name. The only launcher has no index in its name. The role may be in lower case, as in labels. */
export const mpiPodName = (jobName: string, role: string, index: number) =>
  roleKey(role) === 'launcher' ? launcherNameOf(jobName) : podNameOf(jobName, role, index);

export const launcherNameOf = (jobName: string) => `${jobName}-launcher`;
