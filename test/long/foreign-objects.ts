import { isDeepStrictEqual } from 'node:util';
import type { ClusterClient } from '../../cluster/client.ts';
import {
  CONFIG_MAPS,
  type KubeObject,
  PODS,
  type Pod,
  type Resource,
  SERVICES,
} from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, LABELS } from '../../contracts/labels.ts';

/** What is none of the engine's business: jobs of another installation, and pods that only look like a job's. */
export interface ForeignObjects {
  readonly names: ReadonlySet<string>;
  /** What has been changed or removed, a line each. */
  findTouched(): Promise<readonly string[]>;
}

/** The names of all that strangers make begin with it. */
export const STRANGER = 'stranger-';
export const isForeignObject = ({ metadata }: KubeObject) => metadata.name.startsWith(STRANGER);

const OTHERS = 'an-installation-that-is-not-this-one';

interface CreatedObject {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/** `jobs`: names of jobs of ours, whose labels some of the foreign objects carry. */
export async function createForeignObjects(
  cluster: ClusterClient,
  namespace: string,
  jobs: readonly string[],
): Promise<ForeignObjects> {
  const made: CreatedObject[] = [];
  const make = async <T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> => {
    const created = await cluster.create(resource, object);
    made.push({ resource, object: created });
    return created;
  };
  for (const name of ['a', 'b', 'c'].map((letter) => STRANGER + letter)) {
    const anchor = await make(CONFIG_MAPS, anchorOf(name, namespace));
    const owner = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: anchor.metadata.name,
      uid: anchor.metadata.uid!,
    };
    for (const index of [0, 1]) {
      const metadata = {
        name: `${name}-worker-${index}`,
        namespace,
        labels: labelsOf(name, index),
        ownerReferences: [owner],
      };
      await make(PODS, podOf(metadata));
      await make(SERVICES, serviceOf(metadata));
    }
  }
  for (const job of jobs) {
    const metadata = { name: `${STRANGER}${job}`, namespace, labels: labelsOf(job, 0) };
    await make(PODS, podOf(metadata));
    await make(SERVICES, serviceOf(metadata));
  }
  return {
    names: new Set(made.map(({ object }) => object.metadata.name)),
    findTouched: async () => {
      const found = await Promise.all(made.map((one) => touched(cluster, one)));
      return found.flat();
    },
  };
}

async function touched(cluster: ClusterClient, { resource, object }: CreatedObject): Promise<string[]> {
  const { name, namespace, uid } = object.metadata;
  const now = await cluster.find(resource, namespace, name);
  const what = `${resource.kind} ${name}`;
  if (!now || now.metadata.uid !== uid) return [`${what} is ${now ? 'another one' : 'gone'}`];
  return isDeepStrictEqual(ownContent(now), ownContent(object)) ? [] : [`${what} was changed`];
}

/** Without what Kubernetes and its nodes write. */
const ownContent = ({ metadata, spec, data }: KubeObject) => {
  const { labels, annotations, ownerReferences, finalizers, deletionTimestamp } = metadata;
  const { nodeName: _, ...rest } = (spec ?? {}) as Record<string, unknown>;
  return { labels, annotations, ownerReferences, finalizers, deletionTimestamp, data, spec: rest };
};

const anchorOf = (name: string, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: anchorNameOf(name),
    namespace,
    labels: { [LABELS.anchor]: 'true', [LABELS.installation]: OTHERS, [LABELS.job]: name },
    annotations: {
      [ANNOTATIONS.workflowId]: `job/${namespace}/${name}`,
      [ANNOTATIONS.firstRunId]: '00000000-0000-0000-0000-000000000000',
      [ANNOTATIONS.phase]: 'Running',
    },
  },
});

const labelsOf = (job: string, index: number) => ({
  [LABELS.job]: job,
  [LABELS.attempt]: '1',
  [LABELS.role]: 'worker',
  [LABELS.index]: String(index),
});

type Metadata = Pod['metadata'];

const podOf = (metadata: Metadata): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec: {
    nodeSelector: { 'signalbox.dev/node': 'simulated' },
    // Kubernetes gives pods up whose node says nothing for a while, as when the API server is away.
    tolerations: [{ operator: 'Exists' }],
    containers: [{ name: 'main', image: 'train:1' }],
  },
});

const serviceOf = (metadata: Metadata) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { clusterIP: 'None', ports: [{ port: 80 }] },
});
