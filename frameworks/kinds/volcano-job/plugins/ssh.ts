import { SSH_PRIVATE_KEY, SSH_PUBLIC_KEY } from '../../../../contracts/ssh-keys.ts';
import { describeValue } from '../../../fields/faults.ts';
import { hostsOf, type PluginJob, plugin, withVolume } from './plugin.ts';

const ROOT_SSH_PATH = '/root/.ssh';
const FILES = ['id_rsa', 'id_rsa.pub', 'authorized_keys', 'config'];

/** A key by which the pods of a job reach each other. */
export const ssh = plugin({
  defaults: {
    'ssh-key-file-path': ROOT_SSH_PATH,
    'ssh-private-key': '',
    'ssh-public-key': '',
    'ssh-port': 22,
  },
  check: (_, args) =>
    (['ssh-private-key', 'ssh-public-key'] as const)
      .filter((name) => args[name] !== '')
      .map((name) => ({
        path: 'spec.plugins.ssh',
        expected: `no --${name}: the record of a job keeps its manifest, so signalbox makes a key for each job`,
        got: describeValue('a key'),
      })),
  shape: (spec, { job }, args) => {
    const path = args['ssh-key-file-path'];
    const secret = {
      secretName: nameOf(job),
      // sshd refuses a private key that others can read; a user other than root could read no other.
      defaultMode: path === ROOT_SSH_PATH ? 0o600 : 0o644,
      items: FILES.map((key) => ({ key, path: `.ssh/${key}` })),
    };
    return withVolume(spec, { name: nameOf(job), secret }, { mountPath: path, subPath: '.ssh' });
  },
  objects: (job, args) => [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: nameOf(job) },
      type: 'Opaque',
      stringData: {
        id_rsa: SSH_PRIVATE_KEY,
        'id_rsa.pub': SSH_PUBLIC_KEY,
        authorized_keys: SSH_PUBLIC_KEY,
        config: configOf(job, args['ssh-port']),
      },
    },
  ],
});

const nameOf = ({ name }: PluginJob) => `${name}-ssh`;

function configOf(job: PluginJob, port: number): string {
  const hosts = job.roles.flatMap((task) => hostsOf(job, task));
  const entries = hosts.map(
    (host) => `Host ${host.split('.')[0]}\n  HostName ${host}\n${port === 22 ? '' : `  Port ${port}\n`}`,
  );
  return `StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\n${entries.join('')}`;
}
