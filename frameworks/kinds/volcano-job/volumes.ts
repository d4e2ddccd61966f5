import { z } from 'zod';
import type { PodSpec } from '../../../contracts/kubernetes.ts';
import type { Fault } from '../../../contracts/types.ts';
import { describeValue } from '../../fields/faults.ts';
import { unsupported } from '../../fields/unsupported.ts';
import { withVolume } from './plugins/plugin.ts';

const volume = z
  .looseObject({
    mountPath: z.string().min(1).describe('Where all containers mount it.'),
    volumeClaimName: z.string().min(1).describe('Name of a PersistentVolumeClaim that exists.'),
    volumeClaim: unsupported('create the claim, and name it in volumeClaimName'),
  })
  .meta({ id: 'VolcanoVolume', description: 'A claim that all containers mount.' });

export const claimedVolumes = z.array(volume);
type Volumes = z.infer<typeof claimedVolumes>;

export const checkVolumes = (given: Volumes = []): Fault[] =>
  given.flatMap(({ mountPath }, index) => {
    const isTaken = given.slice(0, index).some((one) => one.mountPath === mountPath);
    const path = `spec.volumes[${index}].mountPath`;
    return isTaken ? [{ path, expected: 'a path of its own', got: describeValue(mountPath) }] : [];
  });

/** Init containers do not mount them. */
export function withVolumes({ initContainers, ...spec }: PodSpec, given: Volumes = []): PodSpec {
  const mounted = given.reduce<PodSpec>(
    (pod, { mountPath, volumeClaimName }, index) =>
      withVolume(
        pod,
        { name: `job-volume-${index}`, persistentVolumeClaim: { claimName: volumeClaimName } },
        { mountPath },
      ),
    spec,
  );
  return initContainers ? { ...mounted, initContainers } : mounted;
}
