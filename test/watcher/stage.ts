import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxOptions } from '@signalbox/sandbox';
import { ensureSandbox, resetSandbox, sandboxLayout } from '@signalbox/sandbox';
import type { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Agent, request } from 'undici';
import { ClusterClient } from '../../cluster/client.ts';
import { findClusterId } from '../../cluster/cluster-id.ts';
import type { Digest } from '../../contracts/digest.ts';
import type { Home } from '../../contracts/home.ts';
import { CONFIG_MAPS, type ConfigMap, PODS, type Pod, type PodStatus } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { installationOf } from '../../temporal/installation.ts';
import type { WatcherSettings } from '../../watcher/watcher.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { type Ask, eventually } from '../eventually.ts';
import { type AnchorChoice, anAnchor, aPod, type PodChoice } from './fixtures.ts';

const TASK_QUEUE = 'watcher-test';

/** Real servers, a worker with workflows that write down what they hear, and short words for what tests do. */
export class Stage {
  readonly dir: string;
  readonly cluster: ClusterClient;
  readonly temporal: Client;
  readonly settings: WatcherSettings;
  readonly home: Required<Home>;
  readonly #closing: () => Promise<void>;

  private constructor(
    parts: Pick<Stage, 'dir' | 'cluster' | 'temporal' | 'settings' | 'home'>,
    closing: () => Promise<void>,
  ) {
    this.dir = parts.dir;
    this.cluster = parts.cluster;
    this.temporal = parts.temporal;
    this.settings = parts.settings;
    this.home = parts.home;
    this.#closing = closing;
  }

  static async open(options: SandboxOptions = {}): Promise<Stage> {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
    const dir = await mkdtemp(join(tmpdir(), 'signalbox-watcher-'));
    const { kubeconfig, temporalAddress } = await ensureSandbox({
      ...{ dir, durable: false, localNode: false },
      ...options,
    });
    const cluster = await ClusterClient.connect({ kubeconfig });
    const temporal = await connectTemporal({ address: temporalAddress, namespace: 'default' });
    await registerSearchAttributes(temporal);
    const connection = await NativeConnection.connect({ address: temporalAddress });
    const worker = await Worker.create({
      connection,
      namespace: 'default',
      taskQueue: TASK_QUEUE,
      workflowsPath: fileURLToPath(new URL('./recorder-workflow.ts', import.meta.url)),
    });
    const working = worker.run();
    const settings: WatcherSettings = {
      temporal: { address: temporalAddress, namespace: 'default' },
      cluster: { kubeconfig, connections: 8 },
      taskQueue: TASK_QUEUE,
      logLevel: 'warn',
      http: { host: '127.0.0.1', port: 0 },
      leaseNamespace: 'default',
      leaseName: 'signalbox-watcher',
      scanIntervalMs: 1_000,
      lease: { durationMs: 2_000, renewMs: 500 },
    };
    const home = {
      installation: await installationOf(temporal),
      clusterId: (await findClusterId(cluster))!,
    };
    return new Stage({ dir, cluster, temporal, settings, home }, async () => {
      worker.shutdown();
      await working;
      await connection.close();
      await temporal.connection.close();
      await cluster.close();
      await resetSandbox(dir);
      await rm(dir, { recursive: true, force: true });
    });
  }

  close = () => this.#closing();

  async startJob(name: string, choice: AnchorChoice = {}): Promise<StagedJob> {
    const workflowId = `job/default/${name}`;
    const anchor = anAnchor({ ...this.home, ...choice, job: name, uid: undefined, workflowId });
    const { uid: _, ...metadata } = anchor.metadata;
    const created = await this.cluster.create<ConfigMap>(CONFIG_MAPS, { ...anchor, metadata });
    const handle = await this.temporal.workflow.start('trainingJob', {
      workflowId,
      taskQueue: TASK_QUEUE,
      args: [created.metadata.uid, choice.clusterId ?? this.home.clusterId],
      typedSearchAttributes: [
        { key: SEARCH_ATTRIBUTES.name, value: name },
        { key: SEARCH_ATTRIBUTES.namespace, value: 'default' },
      ],
    });
    await this.annotate(name, 'signalbox.dev/first-run-id', handle.firstExecutionRunId);
    return new StagedJob(this, { name, uid: created.metadata.uid!, workflowId });
  }

  /** Has etcd forget all that happened until now: watches that come back get 410 Gone. */
  async forgetPast(): Promise<void> {
    const past = anAnchor({ job: 'past', uid: undefined, phase: 'Completed' });
    const { uid: _, labels: _l, ...metadata } = past.metadata;
    await this.cluster.create<ConfigMap>(CONFIG_MAPS, { ...past, metadata });
    // Revisions that no watch of the watcher reads.
    for (let i = 0; i < 20; i++) await this.annotate('past', 'example.com/count', String(i));
    const { metadata: last } = await this.annotate('past', 'example.com/count', 'last');
    const etcd = new Agent({ connect: { socketPath: sandboxLayout(this.dir).etcdSocket } });
    const body = JSON.stringify({ revision: last.resourceVersion, physical: true });
    const answer = await request('http://etcd/v3/kv/compaction', { method: 'POST', body, dispatcher: etcd });
    if (answer.statusCode !== 200) throw new Error(await answer.body.text());
    await etcd.destroy();
  }

  annotate(job: string, key: string, value: string) {
    const target = { namespace: 'default', name: anchorNameOf(job) };
    return this.cluster.patch(CONFIG_MAPS, target, { metadata: { annotations: { [key]: value } } });
  }
}

export class StagedJob {
  readonly #stage: Stage;
  readonly name: string;
  readonly uid: string;
  readonly workflowId: string;

  constructor(stage: Stage, { name, uid, workflowId }: { name: string; uid: string; workflowId: string }) {
    this.#stage = stage;
    this.name = name;
    this.uid = uid;
    this.workflowId = workflowId;
  }

  get workflow() {
    return this.#stage.temporal.workflow.getHandle(this.workflowId);
  }

  async addPod(choice: PodChoice): Promise<Pod> {
    const { installation } = this.#stage.home;
    const pod = aPod({ installation, ...choice, job: this.name, owner: this.uid });
    const { uid: _u, creationTimestamp: _c, ...metadata } = pod.metadata;
    // No scheduler of this name: the tests say where it is and how it is.
    const spec = { ...pod.spec, schedulerName: 'nobody', terminationGracePeriodSeconds: 0 };
    return this.#stage.cluster.create(PODS, { ...pod, metadata, spec, status: undefined });
  }

  addPods = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => this.addPod({ index })));

  setStatus(index: number, status: PodStatus) {
    const target = {
      namespace: 'default',
      name: `${this.name}-worker-${index}`,
      subresource: 'status',
    } as const;
    return this.#stage.cluster.patch(PODS, target, { status });
  }

  setAll = (count: number, status: PodStatus) =>
    Promise.all(Array.from({ length: count }, (_, index) => this.setStatus(index, status)));

  annotatePod(index: number, annotations: Readonly<Record<string, string>>) {
    const target = { namespace: 'default', name: `${this.name}-worker-${index}` };
    return this.#stage.cluster.patch(PODS, target, { metadata: { annotations } });
  }

  removePod = (index: number) =>
    this.#stage.cluster.delete(PODS, 'default', `${this.name}-worker-${index}`, { gracePeriodSeconds: 0 });

  received = () => this.workflow.query<Digest[]>('digests');

  async untilDigest(fact: string, holds: (digest: Digest) => boolean): Promise<Digest> {
    return until(`${this.name} hears that ${fact}`, async () => {
      const last = (await this.received().catch(() => [])).at(-1);
      return last && holds(last) ? last : undefined;
    });
  }
}

/** Looks often: what a watcher says takes milliseconds. */
export const until = <T>(fact: string, holds: Ask<T>, withinMs?: number): Promise<T> =>
  eventually(fact, holds, { withinMs, everyMs: 25 });
