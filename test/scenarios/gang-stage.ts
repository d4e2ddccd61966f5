import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import {
  COSCHEDULING_POD_GROUPS,
  KUBE_BATCH_POD_GROUPS,
  type KubeObject,
  POD_GROUPS,
  type Pod,
  type Resource,
  VOLCANO_POD_GROUPS,
} from '../../contracts/kubernetes.ts';
import type { GROUP_PROVIDERS } from '../../contracts/training-job.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { Engine } from '../../demo/engine.ts';
import { type RecordingProxy, startRecordingProxy } from '../deploy/recording-proxy.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { type GangJobOptions, gangJob } from './gang-jobs.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage } from './stage.ts';

/** Real servers with every gang scheduler, and an engine of which it is known what it asked the API server for. */
export interface GangStage extends Stage {
  /** What the engine did, as RBAC sees it. */
  readonly asked: ReadonlySet<string>;
  /** Removed at the end. */
  pool(options: Parameters<typeof openNodePool>[1]): Promise<NodePool>;
  submit(options: Omit<GangJobOptions, 'namespace'>): Promise<JobHandle>;
  /** Undefined where it is gone, or was never made. */
  group(provider: PlacingProvider, job: string): Promise<KubeObject | undefined>;
  bound(job: string): Promise<readonly Pod[]>;
}

export async function openGangStage(): Promise<GangStage> {
  const stage = await openStage();
  const { cluster, namespace } = stage;
  const { proxy, engine, kubeconfig } = await startObservedEngine(stage).catch(async (error) => {
    await stage.close();
    throw error;
  });
  const pools: NodePool[] = [];
  return {
    ...stage,
    asked: proxy.allowed,
    pool: async (options) => {
      const pool = await openNodePool(cluster, options);
      pools.push(pool);
      return pool;
    },
    submit: async (options) => await stage.client.submit(gangJob({ ...options, namespace })),
    group: (provider, job) => cluster.find(GROUPS[provider], namespace, job),
    bound: async (job) => (await stage.pods(job)).filter(({ spec }) => spec.nodeName),
    close: async () => {
      await engine.stop();
      await Promise.all([proxy.close(), rm(kubeconfig)]);
      await Promise.all(pools.map((pool) => pool.remove()));
      await stage.close();
    },
  };
}

type PlacingProvider = Exclude<(typeof GROUP_PROVIDERS)[number], 'kueue'>;

const GROUPS: Readonly<Record<PlacingProvider, Resource>> = {
  native: POD_GROUPS,
  volcano: VOLCANO_POD_GROUPS,
  coscheduling: COSCHEDULING_POD_GROUPS,
  'kube-batch': KUBE_BATCH_POD_GROUPS,
};

async function startObservedEngine({ sandbox, namespace }: Stage) {
  const { clusters, users } = JSON.parse(await readFile(sandbox.kubeconfig, 'utf8'));
  const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString();
  const proxy = await startRecordingProxy(sandbox.kubernetesUrl, ca);
  const folder = join(sandbox.dir, 'engines');
  const kubeconfig = join(folder, `${namespace}.kubeconfig`);
  const logFile = join(folder, `${namespace}-up.log`);
  const engine = new Engine('up', { ...sandbox, kubeconfig }, { logFile });
  await mkdir(folder, { recursive: true });
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(proxy, users[0].user.token)));
  return { proxy, engine: await engine.start(), kubeconfig };
}

const kubeconfigOf = ({ url }: RecordingProxy, token: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'test',
  // Plain HTTP, as far as the proxy; client-node wants to be told so.
  clusters: [{ name: 'test', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'test', user: { token } }],
  contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
});

/** Waits until the job says that it waits for this reason, in words that all of these find. */
export const untilItWaits = (job: JobHandle, reason: string, words: readonly RegExp[]): Promise<JobStatus> =>
  eventually(`the job waits with ${reason}: ${words.join(', ')}`, async () => {
    const status = await statusOf(job);
    const { cause } = status;
    const isSaid = cause?.reason === reason && words.every((word) => word.test(cause.message));
    if (!isSaid) throw new Error(`it is ${status.state}, ${cause?.reason}: ${cause?.message}`);
    return status;
  });
