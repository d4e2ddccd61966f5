import { type KubeObject, NAMESPACES, PODS, type Pod, type Resource } from '../../contracts/kubernetes.ts';
import { type Installer, openInstallers } from '../deploy/installers.ts';
import { findManifest, NAMESPACE } from '../deploy/manifests.ts';
import { eventually } from '../eventually.ts';
import { makeEngineImage } from './images.ts';
import { CLUSTER_DIR, NODES } from './nodes.ts';
import type { RealStage } from './stage.ts';

/** The engine as the chart installs it; only Temporal's address is this machine's, and there are no volumes. */

const PARTS = ['worker', 'watcher'] as const;
const PATIENTLY = { withinMs: 120_000, everyMs: 500 };

/** As pods reach it. */
export const temporalAddress = ({ nodes }: RealStage): string =>
  `${nodes.address}:${nodes.sandbox.temporalAddress.split(':')[1]}`;

/** What `helm install` and `helm upgrade` need. */
export const IN_NAMESPACE = ['-n', NAMESPACE] as const;

/** Returns helm. */
export async function deployEngine(stage: RealStage): Promise<Installer> {
  const { nodes } = stage;
  await importEngineImage(stage, await makeEngineImage(CLUSTER_DIR));
  const { helm } = await openInstallers(nodes.sandbox.kubeconfig);
  // It enforces the restricted Pod Security Standard.
  await nodes.client.create(NAMESPACES, findManifest<KubeObject>('Namespace', NAMESPACE));
  const values = [`--set=temporal.address=${temporalAddress(stage)}`, '--set=record.store=none'];
  await helm('install', 'signalbox', CHART, ...IN_NAMESPACE, '--wait', '--timeout=4m', ...values);
  return helm;
}

/** There is no registry: every node gets the archive of an image. */
export const importEngineImage = ({ nodes }: RealStage, archive: string) =>
  Promise.all(NODES.map((node) => nodes.importImage(node, archive)));

export const CHART = 'charts/signalbox';

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

const OF_THE_ENGINE = 'app.kubernetes.io/component in (worker, watcher)';

export const enginePods = async ({ cluster }: RealStage): Promise<readonly Pod[]> =>
  (await cluster.list(PODS, { namespace: NAMESPACE, labelSelector: OF_THE_ENGINE })).items;

export async function removeEngine({ nodes, cluster }: RealStage): Promise<void> {
  const { helm } = await openInstallers(nodes.sandbox.kubeconfig);
  await helm('uninstall', 'signalbox', '-n', NAMESPACE, '--ignore-not-found');
  await cluster.delete(NAMESPACES, undefined, NAMESPACE);
  await eventually(
    'its namespace is gone',
    async () =>
      !(await cluster.list(NAMESPACES, {})).items.some(({ metadata }) => metadata.name === NAMESPACE),
    PATIENTLY,
  );
}
