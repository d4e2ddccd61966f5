import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Activities } from '../../activities/activities.ts';
import { workflowStart } from '../../temporal/workflow-start.ts';
import { findBundle } from '../../worker/bundle.ts';
import { IGNORED_SINKS } from '../../worker/replay/ignored-sinks.ts';
import { startTemporal, type TemporalServer } from '../client/temporal-server.ts';
import type { Manifest } from '../scenarios/manifests.ts';
import { aManifest, anAdmission, aRevision } from './admissions.ts';

export const TASK_QUEUE = 'workflows-test';

/** The engine's workflow on a real Temporal server, without a cluster: activities say what one would answer. */
export class ServerStage {
  readonly server: TemporalServer;
  readonly client: Client;
  readonly #workflowBundle: WorkflowBundleOption;
  readonly #closing: (() => Promise<unknown>)[] = [];

  private constructor(server: TemporalServer, client: Client, workflowBundle: WorkflowBundleOption) {
    this.server = server;
    this.client = client;
    this.#workflowBundle = workflowBundle;
  }

  static async open(): Promise<ServerStage> {
    const logger = new DefaultLogger('ERROR');
    Runtime.install({ logger });
    const [server, bundle] = await Promise.all([startTemporal(), findBundle(undefined, logger)]);
    const client = new Client({ connection: await Connection.connect({ address: server.address }) });
    return new ServerStage(server, client, bundle);
  }

  /** Creates a worker that connects to `address`, by default to the server. */
  async createWorker({ address, ...options }: Partial<WorkerOptions> & { readonly address?: string }) {
    const connection = await NativeConnection.connect({ address: address ?? this.server.address });
    this.#closing.unshift(() => connection.close());
    const workflowBundle = this.#workflowBundle;
    const usual = { connection, taskQueue: TASK_QUEUE, workflowBundle, sinks: IGNORED_SINKS };
    return Worker.create({ ...usual, ...options });
  }

  /** Runs a worker until the stage closes. */
  async runWorker(options: Parameters<ServerStage['createWorker']>[0]): Promise<void> {
    const worker = await this.createWorker(options);
    const running = worker.run();
    this.#closing.unshift(() => {
      worker.shutdown();
      return running;
    });
  }

  /** Resolves if the workflow's history replays. */
  async replay(workflowId: string): Promise<void> {
    const history = await this.client.workflow.getHandle(workflowId).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: this.#workflowBundle }, history, workflowId);
  }

  async close(): Promise<void> {
    for (const close of this.#closing) await close();
    await this.client.connection.close();
    await this.server.stop();
  }
}

/** Returns the manifest of the workflow in whose activity it is called. */
export async function startedManifest(client: Client): Promise<Manifest> {
  const { input } = await workflowStart(client, Context.current().info.workflowExecution!);
  return input[0] as Manifest;
}

/** Of a cluster in which everything succeeds at once, and in which nobody reports new pods. */
export const succeedingActivities = (client: Client): Partial<Activities> => ({
  admit: async () => ({ ...anAdmission(await startedManifest(client)), clusterId: undefined }),
  amend: async () => aRevision(aManifest()),
  createAttempt: async () => ({ resourceVersion: 10 }),
  restorePods: async () => ({ resourceVersion: 1_000 }),
  suspend: async () => ({ resourceVersion: 0 }),
  cleanUp: async () => ({ resourceVersion: 0 }),
  recordStatus: async () => undefined,
});
