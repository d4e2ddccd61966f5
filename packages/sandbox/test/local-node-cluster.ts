import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { ClusterClient } from '../../../cluster/client.ts';
import { type Condition, LEASES, NODES } from '../../../contracts/kubernetes.ts';
import { ensureSandbox } from '../sandbox.ts';
import { podsOf } from './local-node-pods.ts';
import { endNodeProcess, startNodeProcess } from './local-node-process.ts';
import { emptyDir, removeSandbox, throwaway, until } from './support.ts';

export interface LocalNodeCluster {
  /** The sandbox's folder; tests may write files to it. */
  readonly dir: string;
  readonly client: ClusterClient;
  readonly pods: ReturnType<typeof podsOf>;
  /** `more` are flags of the node. */
  start(more?: readonly string[]): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

/** A sandbox with a local node that the test can end and start again. */
export async function startLocalNodeCluster(): Promise<LocalNodeCluster> {
  const dir = await emptyDir();
  const { kubeconfig } = await ensureSandbox({ ...throwaway, dir });
  const client = await ClusterClient.connect({ kubeconfig });
  let node: ChildProcess | undefined;
  const cluster: LocalNodeCluster = {
    dir,
    client,
    pods: podsOf(client),
    async start(more = []) {
      const before = await renewalOf(client);
      node = startNodeProcess(kubeconfig, join(dir, 'local-node'), more);
      await until('the node is ready', async () => {
        return (await isReady(client)) && (await renewalOf(client)) !== before;
      });
    },
    async end(signal) {
      if (node) await endNodeProcess(node, signal);
    },
    async remove() {
      await cluster.end('SIGTERM');
      await client.close();
      await removeSandbox(dir);
    },
  };
  await cluster.start();
  return cluster;
}

async function isReady(client: ClusterClient): Promise<boolean> {
  const object = await client.find(NODES, undefined, 'local');
  const { conditions } = (object?.status ?? {}) as { readonly conditions?: readonly Condition[] };
  return conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

/** The time of the node's last lease renewal, in microseconds; its status has only whole seconds. */
async function renewalOf(client: ClusterClient): Promise<string | undefined> {
  const lease = await client.find(LEASES, 'kube-node-lease', 'local');
  return (lease?.spec as { readonly renewTime?: string } | undefined)?.renewTime;
}
