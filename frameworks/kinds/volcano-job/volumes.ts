import { z } from 'zod';
import type { KubeObject, PodSpec } from '../../../contracts/kubernetes.ts';
import type { Fault } from '../../../contracts/types.ts';
import { describeValue } from '../../fields/faults.ts';
import { withVolume } from './plugins/plugin.ts';

const requests = z
  .looseObject({ storage: z.union([z.string().min(1), z.number()]).describe('Its size, e.g. 10Gi.') })
  .meta({ id: 'VolcanoClaimRequests', description: 'What a claim asks for.' });

const resources = z
  .looseObject({
    requests: requests.describe('What it asks for.'),
    limits: z.unknown().optional().describe('The most that it may have.'),
  })
  .meta({ id: 'VolcanoClaimResources', description: 'What a claim needs.' });

const claim = z
  .looseObject({
    accessModes: z.array(z.string().min(1)).min(1).describe('How nodes may mount it, e.g. ReadWriteMany.'),
    storageClassName: z.string().optional().describe('Its StorageClass; empty: none.'),
    volumeMode: z.string().optional().describe('Filesystem (default) or Block.'),
    volumeName: z.string().optional().describe('The PersistentVolume that it is bound to.'),
    volumeAttributesClassName: z.string().optional().describe('Its VolumeAttributesClass.'),
    selector: z.unknown().optional().describe('Labels of the PersistentVolume.'),
    dataSource: z.unknown().optional().describe('What it is filled from.'),
    dataSourceRef: z.unknown().optional().describe('What it is filled from, of any kind.'),
    resources: resources.describe('How much it needs: requests.storage.'),
  })
  .meta({ id: 'VolcanoClaim', description: 'Spec of a PersistentVolumeClaim.' });

const volume = z
  .looseObject({
    mountPath: z.string().min(1).describe('Where all containers mount it.'),
    volumeClaimName: z.string().min(1).optional().describe('Name of a PersistentVolumeClaim that exists.'),
    volumeClaim: claim
      .optional()
      .describe('A claim that is made for the job and goes with it; without effect beside a name.'),
  })
  .meta({ id: 'VolcanoVolume', description: 'A claim that all containers mount.' });

export const claimedVolumes = z.array(volume);
type Volumes = z.infer<typeof claimedVolumes>;

export const checkVolumes = (given: Volumes = []): Fault[] =>
  given.flatMap(({ mountPath, volumeClaimName, volumeClaim }, index) => {
    const path = `spec.volumes[${index}]`;
    const isTaken = given.slice(0, index).some((one) => one.mountPath === mountPath);
    const isNone = volumeClaimName === undefined && volumeClaim === undefined;
    return [
      ...(isTaken
        ? [{ path: `${path}.mountPath`, expected: 'a path of its own', got: describeValue(mountPath) }]
        : []),
      ...(isNone ? [{ path, expected: 'volumeClaimName or volumeClaim', got: 'neither' }] : []),
    ];
  });

/** Volcano ends such names with a random text. */
const claimNameOf = (job: string, index: number, name?: string) => name ?? `${job}-pvc-${index}`;

/** The claims that are made for a job. */
export const claimsToMake = (job: string, given: Volumes = []): readonly KubeObject[] =>
  given.flatMap(({ volumeClaimName, volumeClaim: spec }, index) =>
    spec === undefined || volumeClaimName !== undefined
      ? []
      : [
          {
            ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
            ...{ metadata: { name: claimNameOf(job, index) }, spec },
          },
        ],
  );

/** Init containers do not mount them. */
export function withVolumes({ initContainers, ...spec }: PodSpec, job: string, given: Volumes = []): PodSpec {
  const mounted = given.reduce<PodSpec>(
    (pod, { mountPath, volumeClaimName }, index) =>
      withVolume(
        pod,
        {
          name: `job-volume-${index}`,
          persistentVolumeClaim: { claimName: claimNameOf(job, index, volumeClaimName) },
        },
        { mountPath },
      ),
    spec,
  );
  return initContainers ? { ...mounted, initContainers } : mounted;
}
