import type { KubeObject } from '../../../../contracts/kubernetes.ts';
import { SSH_PRIVATE_KEY, SSH_PUBLIC_KEY } from '../../../../contracts/ssh-keys.ts';
import type { Fault } from '../../../../contracts/types.ts';
import { withContainer, withEnv, withMount, withPodSpec, withVolumeOf } from '../spec/containers.ts';
import type { ReplicatedJob } from '../spec/runtime.ts';
import { type JobWithRuntime, type MlPolicy, NODE, nodesOf, subdomainOf } from './ml-policy.ts';
import { gpusOfNode } from './node-resources.ts';

const LAUNCHER = 'launcher';
const HOSTS = '/etc/mpi';
const KEYS = { name: 'mpi-ssh-auth', hosts: 'mpi-hostfile' } as const;

const rulesOf = ({ options }: JobWithRuntime) => options.runtime.mlPolicy!.mpi!;
const isNode = ({ name }: ReplicatedJob) => name === NODE;
const isLauncher = ({ name }: ReplicatedJob) => name === LAUNCHER;

/** mpirun in the launcher, which reaches the nodes by ssh. */
export const mpiPolicy: MlPolicy = {
  reserved: [
    'OMPI_MCA_orte_default_hostfile',
    'OMPI_MCA_orte_keep_fqdn_hostnames',
    'OMPI_MCA_orte_set_default_slots',
    'OMPI_MCA_plm_rsh_args',
  ],
  // A second launcher would start the program a second time.
  podsOf: (replicated, job) => {
    if (isLauncher(replicated)) return 1;
    if (!isNode(replicated)) return undefined;
    const { trainer, runtime } = job.options;
    if ((trainer?.numNodes ?? runtime.mlPolicy?.numNodes) === undefined) return undefined;
    return rulesOf(job).runLauncherAsNode ? Math.max(1, nodesOf(job) - 1) : nodesOf(job);
  },
  check: checkRoles,
  apply: (jobs, job) =>
    jobs.map((one) => {
      if (!isNode(one) && !isLauncher(one)) return one;
      const withKeys = withSsh(one, job);
      return isLauncher(one) ? withHosts(withKeys, job, slotsOf(job, jobs)) : withKeys;
    }),
  objects: (job, jobs) => [secretOf(job), hostfileOf(job, jobs)],
};

/** Without both jobs there is nobody to start the program, or to run it. */
function checkRoles(job: JobWithRuntime, jobs: readonly ReplicatedJob[]): Fault[] {
  const isComplete = jobs.some(isNode) && jobs.some(isLauncher);
  if (isComplete || !rulesOf(job).runLauncherAsNode || nodesOf(job) < 2) return [];
  const expected = '1, or a runtime with the replicated jobs launcher and node (runLauncherAsNode)';
  return [{ path: 'spec.trainer.numNodes', expected, got: `${nodesOf(job)}` }];
}

/** Processes on each node: as the job says, else the runtime; GPUs count where neither says more than one. */
function slotsOf(job: JobWithRuntime, jobs: readonly ReplicatedJob[]): number {
  const asked = job.options.trainer?.numProcPerNode;
  const slots = typeof asked === 'number' ? asked : rulesOf(job).numProcPerNode;
  const node = jobs.find(isNode);
  return slots === 1 && node ? Math.max(1, gpusOfNode(job, node)) : slots;
}

function withSsh(job: ReplicatedJob, of: JobWithRuntime): ReplicatedJob {
  const secret = {
    secretName: secretNameOf(of),
    // sshd refuses a private key that others can read.
    defaultMode: 0o400,
    items: [
      { key: 'ssh-privatekey', path: 'id_rsa', mode: 0o640 },
      { key: 'ssh-publickey', path: 'id_rsa.pub', mode: 0o644 },
      { key: 'ssh-publickey', path: 'authorized_keys', mode: 0o644 },
    ],
  };
  const { sshAuthMountPath: mountPath } = rulesOf(of);
  const mounted = withContainer(job, NODE, (container) =>
    withMount(container, { name: KEYS.name, mountPath }),
  );
  return withPodSpec(mounted, (spec) => withVolumeOf(spec, { name: KEYS.name, secret } as { name: string }));
}

function withHosts(job: ReplicatedJob, of: JobWithRuntime, slots: number): ReplicatedJob {
  const configMap = { name: hostfileNameOf(of), items: [{ key: 'hostfile', path: 'hostfile', mode: 0o444 }] };
  const told = withContainer(job, NODE, (container) =>
    withEnv(withMount(container, { name: KEYS.hosts, mountPath: HOSTS }), [
      { name: 'OMPI_MCA_orte_default_hostfile', value: `${HOSTS}/hostfile` },
      { name: 'OMPI_MCA_orte_keep_fqdn_hostnames', value: 'true' },
      { name: 'OMPI_MCA_orte_set_default_slots', value: `${slots}` },
      { name: 'OMPI_MCA_plm_rsh_args', value: '-o ConnectionAttempts=10' },
    ]),
  );
  return withPodSpec(told, (spec) => withVolumeOf(spec, { name: KEYS.hosts, configMap } as { name: string }));
}

const secretNameOf = ({ name }: JobWithRuntime) => `${name}-mpi-ssh-auth`;
const hostfileNameOf = ({ name }: JobWithRuntime) => `${name}-mpi-hostfile`;

const secretOf = (job: JobWithRuntime): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: secretNameOf(job) },
  type: 'kubernetes.io/ssh-auth',
  immutable: true,
  stringData: { 'ssh-privatekey': SSH_PRIVATE_KEY, 'ssh-publickey': SSH_PUBLIC_KEY },
});

function hostfileOf(job: JobWithRuntime, jobs: readonly ReplicatedJob[]): KubeObject {
  const hosts = jobs.filter((one) => isNode(one) || (isLauncher(one) && rulesOf(job).runLauncherAsNode));
  const lines = hosts.flatMap(({ name, template }) =>
    Array.from(
      { length: template.spec.parallelism ?? 1 },
      (_, index) => `${job.name}-${name}-0-${index}.${subdomainOf(job)} slots=${slotsOf(job, jobs)}\n`,
    ),
  );
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: hostfileNameOf(job) },
    data: { hostfile: lines.join('') },
  };
}
