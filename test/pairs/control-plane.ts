import { ensureSandbox, type Sandbox, sandboxStatus } from '@signalbox/sandbox';
import { Agent, request } from 'undici';
import { ClusterClient } from '../../cluster/client.ts';
import { ApiError, isAlreadyExists } from '../../cluster/errors.ts';
import { clusterAccess } from '../../cluster/kubeconfig.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import { OF_EVERY_CLUSTER } from './objects-of-cluster.ts';

/** An API server and a scheduler that have no nodes but those of a pair. */
export interface ControlPlane {
  readonly sandbox: Sandbox;
  readonly cluster: ClusterClient;
  /** Creates an object of any kind. */
  create(object: KubeObject): Promise<KubeObject>;
  resourceOf(object: Pick<KubeObject, 'apiVersion' | 'kind'>): Promise<Resource>;
  /** How many pods the scheduler still thinks about, and how many it has given up for now. */
  queues(): Promise<{ readonly busy: number; readonly idle: number }>;
  close(): Promise<void>;
}

export async function openControlPlane(dir: string): Promise<ControlPlane> {
  const sandbox = await ensureSandbox({ dir, durable: false, localNode: false, simulatedNodes: 0, gang: [] });
  const cluster = await ClusterClient.connect({ kubeconfig: sandbox.kubeconfig });
  const { headers } = await clusterAccess({ path: sandbox.kubeconfig });
  // Its certificate is its own.
  const scheduler = new Agent({ connect: { rejectUnauthorized: false } });
  const status = sandboxStatus(dir);
  if (!status.running) throw new Error(`${dir}: the sandbox does not run any more`);
  const url = `https://127.0.0.1:${status.state.ports.scheduler}/metrics`;
  const resources = new Map<string, Promise<Resource | undefined>>();
  const resourceOf = async ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>) => {
    const key = `${apiVersion}/${kind}`;
    const known = resources.get(key) ?? cluster.resourceOf({ apiVersion, kind });
    resources.set(key, known);
    const resource = await known;
    if (!resource) throw new Error(`the cluster does not serve ${key}`);
    return resource;
  };
  const create = async (object: KubeObject) => cluster.create(await resourceOf(object), object);
  for (const object of OF_EVERY_CLUSTER)
    await create(object).catch((error) => {
      if (!isAlreadyExists(error)) throw error;
    });
  return {
    ...{ sandbox, cluster, create, resourceOf },
    queues: async () => {
      const { body } = await request(url, { dispatcher: scheduler, headers: await headers() });
      return queuesIn(await body.text());
    },
    close: async () => {
      await Promise.all([cluster.close(), scheduler.close()]);
    },
  };
}

const QUEUE = /^scheduler_pending_pods\{queue="(\w+)"\} (\d+)$/gm;

function queuesIn(metrics: string): { readonly busy: number; readonly idle: number } {
  let [busy, idle] = [0, 0];
  for (const [, queue, count] of metrics.matchAll(QUEUE)) {
    if (queue === 'active' || queue === 'backoff') busy += Number(count);
    else idle += Number(count);
  }
  return { busy, idle };
}

export function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}
