import type { ConfigMap } from '../../../contracts/kubernetes.ts';

/** Where pods find what the ConfigMap holds. */
export const CONFIG_PATH = '/etc/mpi';

export const CONFIG_MOUNT = { name: 'mpi-job-config', mountPath: CONFIG_PATH };

type JobName = { readonly name: string };

/** The hosts of a job, and how they are reached. */
export const renderConfigMap = (job: JobName, data: Readonly<Record<string, string>>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: configMapNameOf(job), labels: { app: job.name } },
  data,
});

/** The volume with these of its files. */
export const configVolume = (job: JobName, files: readonly string[]) => ({
  name: CONFIG_MOUNT.name,
  configMap: {
    name: configMapNameOf(job),
    defaultMode: 0o644,
    items: files.map((file) => ({ key: file, path: file, mode: file.endsWith('.sh') ? 0o555 : 0o444 })),
  },
});

const configMapNameOf = ({ name }: JobName) => `${name}-config`;
