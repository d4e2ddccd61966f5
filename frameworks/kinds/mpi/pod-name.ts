import { podNameOf } from '../../../contracts/labels.ts';

/** There is one launcher, and its name has no index. The role may be in lower case, as labels have it. */
export const mpiPodName = (jobName: string, role: string, index: number) =>
  role.toLowerCase() === 'launcher' ? launcherNameOf(jobName) : podNameOf(jobName, role, index);

export const launcherNameOf = (jobName: string) => `${jobName}-launcher`;
