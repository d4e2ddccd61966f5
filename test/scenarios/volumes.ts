import { VOLUME_CLAIMS, VOLUMES } from '../../contracts/kubernetes.ts';
import { asFields } from '../../language/fields.ts';
import { eventually } from '../eventually.ts';
import type { Manifest } from './manifests.ts';
import type { Stage } from './stage.ts';

/** Adds volumes to the pods of all roles of a PyTorchJob. */
export function withVolumes(manifest: Manifest, volumes: readonly object[]): Manifest {
  const copy = structuredClone(manifest) as unknown as {
    spec: { pytorchReplicaSpecs: Record<string, { template: { spec: { volumes?: readonly object[] } } }> };
  };
  for (const { template } of Object.values(copy.spec.pytorchReplicaSpecs)) template.spec.volumes = volumes;
  return copy as unknown as Manifest;
}

/** Makes a claim that is bound to a volume of one node. Returns what removes the volume, which belongs to no namespace. */
export async function boundClaim(
  { cluster, namespace }: Pick<Stage, 'cluster' | 'namespace'>,
  { claim, node }: { readonly claim: string; readonly node: string },
): Promise<() => Promise<void>> {
  const volume = `${namespace}-${claim}`;
  const requests = { storage: '1Gi' };
  const terms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] }];
  await cluster.create(VOLUMES, {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: volume } },
    spec: {
      ...{ capacity: requests, accessModes: ['ReadWriteOnce'], storageClassName: '' },
      ...{ local: { path: '/tmp' }, claimRef: { namespace, name: claim } },
      nodeAffinity: { required: { nodeSelectorTerms: terms } },
    },
  });
  await cluster.create(VOLUME_CLAIMS, {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: claim, namespace } },
    spec: {
      ...{ accessModes: ['ReadWriteOnce'], storageClassName: '' },
      ...{ volumeName: volume, resources: { requests } },
    },
  });
  await eventually(`claim ${claim} is bound`, async () => {
    const { status } = await cluster.get(VOLUME_CLAIMS, namespace, claim);
    return asFields(status).phase === 'Bound';
  });
  // It goes once the claim is gone.
  return async () => {
    await cluster.delete(VOLUMES, undefined, volume);
  };
}
