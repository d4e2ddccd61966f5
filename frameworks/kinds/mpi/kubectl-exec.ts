import type { Member } from '../../../contracts/host-list.ts';
import { findRole } from '../../../contracts/roles.ts';
import type { Role, TrainingJob } from '../../../contracts/training-job.ts';
import { HOSTFILE } from './launcher-environment.ts';
import { launcherNameOf } from './pod-name.ts';
import { DISCOVER_HOSTS, workersAmong, workersOf } from './workers.ts';

export const KUBECTL_PATH = '/opt/kube';
export const KUBEXEC = 'kubexec.sh';

interface ExecOptions {
  readonly slotsPerWorker: number;
  readonly mainContainer?: string;
}

/** Returns the files of an MPIJob v1, whose launcher reaches workers by kubectl exec and knows them by pod name. */
export const execFiles = (job: TrainingJob, options: ExecOptions, ready: readonly Member[]) => ({
  [DISCOVER_HOSTS]: discoverHosts(job, options, ready),
  [HOSTFILE]: hostfile(job, options),
  [KUBEXEC]: kubexec(options),
});

/** A launcher with GPUs also takes part in the computation. */
export const isGpuLauncher = (roles: readonly Role[]): boolean =>
  findRole(roles, 'Launcher')!.template.spec.containers.some(({ resources }) =>
    Object.keys(resources?.limits ?? {}).some((resource) => resource.includes('gpu')),
  );

function hostfile(job: TrainingJob, { slotsPerWorker }: ExecOptions): string {
  const launcher = isGpuLauncher(job.roles) ? [launcherNameOf(job.name)] : [];
  return [...launcher, ...workersOf(job)].map((host) => `${host} slots=${slotsPerWorker}\n`).join('');
}

/** The script that MPI calls instead of rsh, with a host and a command. */
function kubexec({ mainContainer }: ExecOptions): string {
  const container = mainContainer ? ` --container ${mainContainer}` : '';
  return `#!/bin/sh
set -x
POD_NAME=$1
shift
${KUBECTL_PATH}/kubectl exec \${POD_NAME}${container} -- /bin/sh -c "$*"`;
}

/** Same layout as training-operator's: no newline after the last worker, an empty line after the launcher. */
function discoverHosts(
  { name, roles }: TrainingJob,
  { slotsPerWorker }: ExecOptions,
  ready: readonly Member[],
) {
  const line = (host: string) => `\necho ${host}:${slotsPerWorker}`;
  const launcher = isGpuLauncher(roles) ? `${line(launcherNameOf(name))}\n` : '';
  return `#!/bin/sh${launcher}${workersAmong(ready).map(line).join('')}`;
}
