import { podNameOf } from '../../contracts/labels.ts';

/** There is one launcher, and its name has no index. */
export const mpiPodName = (jobName: string, role: string, index: number) =>
  role === 'Launcher' ? launcherNameOf(jobName) : podNameOf(jobName, role, index);

export const launcherNameOf = (jobName: string) => `${jobName}-launcher`;
