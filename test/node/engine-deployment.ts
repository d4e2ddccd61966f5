import { type KubeObject, NAMESPACES, PODS, type Pod, type Resource } from '../../contracts/kubernetes.ts';
import { clusterManifests, NAMESPACE, readYaml, type Settings } from '../deploy/manifests.ts';
import { eventually } from '../eventually.ts';
import { makeEngineImage } from './images.ts';
import { CLUSTER_DIR, NODES } from './nodes.ts';
import type { RealStage } from './stage.ts';

/** The engine as deploy/kubernetes/cluster installs it; only Temporal's address is this machine's, and there are no volumes. */

const PARTS = ['worker', 'watcher'] as const;

export async function deployEngine({ nodes }: RealStage): Promise<void> {
  const archive = await makeEngineImage(CLUSTER_DIR);
  await Promise.all(NODES.map((node) => nodes.importImage(node, archive)));
  const temporal = `${nodes.address}:${nodes.sandbox.temporalAddress.split(':')[1]}`;
  for (const object of clusterManifests().map(asKustomizeMakesIt)) {
    if (object.kind === 'PersistentVolumeClaim') continue;
    const known = object.kind === 'ConfigMap' ? withTemporal(object as Settings, temporal) : object;
    await nodes.client.create((await nodes.client.resourceOf(known))!, known);
  }
}

const [{ name, newTag }] = (readYaml('deploy/kubernetes/cluster/kustomization.yaml') as Kustomization).images;
const IMAGE = `${name}:${newTag}`;

interface Kustomization {
  readonly images: readonly [{ readonly name: string; readonly newTag: string }];
}

const asKustomizeMakesIt = (object: KubeObject): KubeObject =>
  JSON.parse(
    JSON.stringify(object)
      .replaceAll(`"image":"${name}"`, `"image":"${IMAGE}"`)
      .replace(/"persistentVolumeClaim":\{[^}]*\}/, '"emptyDir":{}'),
  );

const withTemporal = (settings: Settings, address: string): Settings => ({
  ...settings,
  // Each worker has a volume of its own, and would sign an archive of its own.
  data: { ...settings.data, TEMPORAL_ADDRESS: address, SIGNALBOX_ARCHIVE_STORE: 'none' },
});

const DEPLOYMENTS: Resource<Deployment> = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};

interface Deployment extends KubeObject {
  readonly spec: { readonly replicas: number };
  readonly status?: { readonly readyReplicas?: number; readonly replicas?: number };
}

/** As many as are to be there are, and each says that it can work. */
export const untilReady = ({ nodes }: RealStage) =>
  eventually(
    'worker and watcher are ready',
    async () => {
      const found = await Promise.all(
        PARTS.map((part) => nodes.client.get(DEPLOYMENTS, NAMESPACE, `signalbox-${part}`)),
      );
      return found.every(
        ({ spec, status }) => status?.readyReplicas === spec.replicas && status.replicas === spec.replicas,
      );
    },
    { withinMs: 240_000, everyMs: 500 },
  );

export const enginePods = async ({ cluster }: RealStage): Promise<readonly Pod[]> =>
  (await cluster.list(PODS, { namespace: NAMESPACE })).items;

export async function removeEngine(stage: RealStage): Promise<void> {
  await stage.cluster.delete(NAMESPACES, undefined, NAMESPACE);
  await eventually('nothing of it is left', async () => (await enginePods(stage)).length === 0);
}
