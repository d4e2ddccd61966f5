import { posix } from 'node:path';
import type { PodSpec } from '../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../contracts/labels.ts';

const VOLUME = 'signalbox-checkpoint';

/**
 * Adds a file to every container that is empty until a checkpoint is requested: the downward API fills it from an
 * annotation. Mounts the file's folder, because Kubernetes does not update single mounted files.
 */
export function withCheckpointFile(spec: PodSpec, file: string | undefined): PodSpec {
  if (file === undefined) return spec;
  const mount = { name: VOLUME, mountPath: posix.dirname(file), readOnly: true };
  const fieldRef = { apiVersion: 'v1', fieldPath: `metadata.annotations['${ANNOTATIONS.checkpoint}']` };
  const volume = { name: VOLUME, downwardAPI: { items: [{ path: posix.basename(file), fieldRef }] } };
  return {
    ...spec,
    volumes: [...(spec.volumes ?? []), volume],
    containers: spec.containers.map((container) => ({
      ...container,
      volumeMounts: [...(container.volumeMounts ?? []), mount],
    })),
  };
}
