import type { ConfigMap } from '../../../contracts/kubernetes.ts';

/** Where the ConfigMap is mounted in pods. */
export const CONFIG_PATH = '/etc/mpi';

export const CONFIG_MOUNT = { name: 'mpi-job-config', mountPath: CONFIG_PATH };

type JobName = { readonly name: string };

/** Renders the ConfigMap with the hosts of a job. */
export const renderConfigMap = (job: JobName, data: Readonly<Record<string, string>>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: configMapNameOf(job), labels: { app: job.name } },
  data,
});

/** Returns a volume with the given files of the ConfigMap. */
export const configVolume = (job: JobName, files: readonly string[]) => ({
  name: CONFIG_MOUNT.name,
  configMap: {
    name: configMapNameOf(job),
    defaultMode: 0o644,
    items: files.map((file) => ({ key: file, path: file, mode: file.endsWith('.sh') ? 0o555 : 0o444 })),
  },
});

const configMapNameOf = ({ name }: JobName) => `${name}-config`;
