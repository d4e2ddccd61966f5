import { randomUUID } from 'node:crypto';
import { isNodeSchedulable } from '@signalbox/sandbox';
import pMap from 'p-map';
import type { ClusterClient } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import {
  CONFIG_MAPS,
  type KubeObject,
  LIMIT_RANGES,
  NAMESPACES,
  NODES,
  PODS,
  PRIORITY_CLASSES,
  RESOURCE_QUOTAS,
  type Resource,
  RUNTIME_CLASSES,
  SECRETS,
  SERVICE_ACCOUNTS,
  STORAGE_CLASSES,
  VOLUME_CLAIMS,
} from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import type { Manifest } from './manifests.ts';
import { ITSELF, type OtherPod, type SituationNode, TWO, type WhySituation } from './why-situations.ts';

/** A situation whose objects are there. */
export interface Prepared {
  readonly namespace: string;
  readonly manifest: Manifest;
}

const AT_ONCE = 8;
const POOL = 'why.example.com/pool';

/** Makes the objects of situations side by side: each has a namespace and, if it names nodes, nodes of its own. */
export async function prepareSituations(
  cluster: ClusterClient,
  situations: readonly WhySituation[],
): Promise<{ readonly prepared: ReadonlyMap<string, Prepared>; readonly remove: () => Promise<void> }> {
  const made = new Made(cluster);
  await made.nodes('two', TWO);
  const prepared = await pMap(
    situations,
    async (situation, index) => [situation.title, await prepare(made, situation, `why-${index}`)] as const,
    { concurrency: AT_ONCE },
  );
  return { prepared: new Map(prepared), remove: () => made.remove() };
}

async function prepare(made: Made, situation: WhySituation, pool: string): Promise<Prepared> {
  const { nodes, objects = [], others = [], namespaceLabels } = situation;
  const namespace = await made.namespace(namespaceLabels);
  const names = nodes ? await made.nodes(pool, nodes) : [];
  for (const object of objects) await made.object(object as KubeObject, namespace);
  await pMap(others, (other, index) => made.other(other, { namespace, name: `other-${index}`, names }));
  return { namespace, manifest: manifestOf(situation, { namespace, pool: nodes ? pool : 'two' }) };
}

function manifestOf(
  { pods = 2, spec, limits, container, gang, minAvailable, isAnywhere }: WhySituation,
  { namespace, pool }: { readonly namespace: string; readonly pool: string },
): Manifest {
  const { nodeSelector = {} } = (spec ?? {}) as { nodeSelector?: object };
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name: 'train', namespace, annotations: { 'signalbox.dev/gang': gang ?? 'none' } },
    spec: {
      runPolicy: { cleanPodPolicy: 'All', ...(minAvailable ? { schedulingPolicy: { minAvailable } } : {}) },
      pytorchReplicaSpecs: {
        Worker: {
          replicas: pods,
          restartPolicy: 'Never',
          template: {
            metadata: { labels: ITSELF },
            spec: {
              terminationGracePeriodSeconds: 1,
              ...spec,
              ...(isAnywhere ? {} : { nodeSelector: { [POOL]: pool, ...nodeSelector } }),
              containers: [
                {
                  ...{ name: 'pytorch', image: 'train:1', command: ['train'] },
                  ...(limits ? { resources: { limits } } : {}),
                  ...container,
                },
              ],
            },
          },
        },
      },
    },
  } as unknown as Manifest;
}

const KINDS: Readonly<Record<string, Resource>> = {
  ConfigMap: CONFIG_MAPS,
  LimitRange: LIMIT_RANGES,
  PersistentVolumeClaim: VOLUME_CLAIMS,
  PriorityClass: PRIORITY_CLASSES,
  ResourceQuota: RESOURCE_QUOTAS,
  RuntimeClass: RUNTIME_CLASSES,
  Secret: SECRETS,
  ServiceAccount: SERVICE_ACCOUNTS,
  StorageClass: STORAGE_CLASSES,
};

/** What is made is removed, also what belongs to no namespace. */
class Made {
  readonly #cluster: ClusterClient;
  readonly #clusterWide: { readonly resource: Resource; readonly name: string }[] = [];

  constructor(cluster: ClusterClient) {
    this.#cluster = cluster;
  }

  async namespace(labels: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = `why-${randomUUID().slice(0, 8)}`;
    await this.#create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    return name;
  }

  async object(object: KubeObject, namespace: string): Promise<void> {
    const resource = KINDS[object.kind]!;
    const metadata = resource.namespaced ? { ...object.metadata, namespace } : object.metadata;
    await this.#create(resource, { ...object, metadata });
    if (resource !== RESOURCE_QUOTAS) return;
    await eventually('the quota counts', async () => {
      const { status } = await this.#cluster.get(RESOURCE_QUOTAS, namespace, metadata.name);
      return (status as { hard?: object } | undefined)?.hard !== undefined;
    });
  }

  async nodes(pool: string, nodes: readonly SituationNode[]): Promise<readonly string[]> {
    return Promise.all(nodes.map((node, index) => this.#node(`${pool}-${index}`, { pool, node })));
  }

  async #node(name: string, { pool, node }: { pool: string; node: SituationNode }): Promise<string> {
    const { labels = {}, taint, has = {}, isCordoned } = node;
    const capacity = { cpu: '64', memory: '512Gi', 'ephemeral-storage': '1Ti', pods: '500', ...has };
    await this.#create(NODES, {
      ...{ apiVersion: 'v1', kind: 'Node' },
      metadata: {
        name,
        annotations: { 'kwok.x-k8s.io/node': 'fake' },
        labels: { ...labels, [POOL]: pool, type: 'simulated', 'kubernetes.io/hostname': name },
      },
      spec: {
        taints: [
          { key: 'signalbox.dev/simulated', value: 'true', effect: 'PreferNoSchedule' },
          ...taintOf(taint),
        ],
      },
      status: { capacity, allocatable: capacity },
    } as KubeObject);
    await eventually(`node ${name} is ready`, async () =>
      isNodeSchedulable(await this.#cluster.get(NODES, undefined, name)),
    );
    if (isCordoned) await this.#cluster.patch(NODES, { name }, { spec: { unschedulable: true } });
    return name;
  }

  /** A pod that has its node, as if a scheduler had placed it. */
  async other(
    { on, labels = {}, requests = {}, spec = {} }: OtherPod,
    { namespace, name, names }: { namespace: string; name: string; names: readonly string[] },
  ): Promise<void> {
    await this.#create(PODS, {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels } },
      spec: {
        ...{ nodeName: names[on]!, tolerations: [{ operator: 'Exists' }] },
        containers: [{ name: 'other', image: 'other:1', resources: { requests, limits: requests } }],
        ...spec,
      },
    } as KubeObject);
  }

  async #create(resource: Resource, object: KubeObject): Promise<void> {
    const { name } = object.metadata;
    if (!resource.namespaced) this.#clusterWide.push({ resource, name });
    // Of a new namespace the account of its pods may not be there yet.
    await eventually(`${object.kind} ${name} is made`, async () => {
      try {
        return await this.#cluster.create(resource, object);
      } catch (error) {
        if (error instanceof ApiError && error.status === 409 && resource !== PODS) return true;
        throw error;
      }
    });
  }

  async remove(): Promise<void> {
    await pMap(
      this.#clusterWide.toReversed(),
      ({ resource, name }) => this.#cluster.delete(resource, undefined, name).catch(() => undefined),
      { concurrency: AT_ONCE },
    );
  }
}

function taintOf(text: string | undefined) {
  if (text === undefined) return [];
  const [, key, value, effect] = /^([^=]+)=([^:]+):(.+)$/.exec(text) ?? [];
  return [{ key, value, effect }];
}
