import type { PodSpec } from '../../../contracts/kubernetes.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import type { Replica } from '../../model/framework.ts';
import { CONFIG_MOUNT, configVolume } from './config-map.ts';
import { HOSTFILE } from './launcher-environment.ts';
import { mpiPodName } from './pod-name.ts';
import { withParts } from './pod-parts.ts';
import { secretNameOf } from './ssh-objects.ts';
import { DISCOVER_HOSTS } from './workers.ts';

export const ROOT_SSH_PATH = '/root/.ssh';

/** sshd in the foreground, logging to standard error. */
const SSHD = ['/usr/sbin/sshd', '-De'];

interface SshPod extends Replica {
  readonly sshAuthMountPath: string;
}

/** Shapes a launcher that reaches its workers by ssh. */
export const sshLauncher = (spec: PodSpec, job: TrainingJob, pod: SshPod): PodSpec =>
  withParts(withHostName(spec, job, pod), {
    volumes: [sshVolume(job, pod), configVolume(job, [HOSTFILE, DISCOVER_HOSTS])],
    mounts: [sshMount(pod), CONFIG_MOUNT],
  });

/** Shapes a worker that accepts the launcher's key and resolves the launcher by its short name. */
export function sshWorker(spec: PodSpec, job: TrainingJob, pod: SshPod): PodSpec {
  const { name, namespace, conventions } = job;
  const dnsConfig = spec.dnsConfig ?? {};
  const search = `${name}.${namespace}.svc.${conventions.domain ?? 'cluster.local'}`;
  const worker = withParts(withHostName(spec, job, pod), {
    volumes: [sshVolume(job, pod)],
    mounts: [sshMount(pod)],
    command: { command: SSHD },
  });
  return { ...worker, dnsConfig: { ...dnsConfig, searches: [...(dnsConfig.searches ?? []), search] } };
}

const withHostName = (spec: PodSpec, { name }: TrainingJob, { role, index }: Replica): PodSpec => ({
  ...spec,
  hostname: mpiPodName(name, role.name, index),
  subdomain: name,
  // Otherwise a pod on the host network uses the node's DNS server, which does not know Services.
  ...(spec.hostNetwork ? { dnsPolicy: 'ClusterFirstWithHostNet' } : {}),
});

const SSH_VOLUME = 'ssh-auth';

const sshMount = ({ sshAuthMountPath }: SshPod) => ({ name: SSH_VOLUME, mountPath: sshAuthMountPath });

/** ssh rejects a private key that others can read, but a user other than root can read only such a key. */
const sshVolume = (job: TrainingJob, { sshAuthMountPath }: SshPod) => ({
  name: SSH_VOLUME,
  secret: {
    secretName: secretNameOf(job),
    defaultMode: sshAuthMountPath === ROOT_SSH_PATH ? 0o600 : 0o644,
    items: [
      { key: 'ssh-privatekey', path: 'id_rsa' },
      { key: 'ssh-publickey', path: 'id_rsa.pub' },
      { key: 'ssh-publickey', path: 'authorized_keys' },
    ],
  },
});
