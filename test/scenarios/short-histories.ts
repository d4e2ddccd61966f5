import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ensurePrograms, sandboxLayout } from '@signalbox/sandbox';
import { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { Engine } from '../../demo/engine.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { freePort } from '../../worker/free-port.ts';
import { eventually } from '../eventually.ts';
import { openPodLedger, type PodLedger } from './pod-ledger.ts';
import { openStage, type Stage } from './stage.ts';

/** Where others say so after 4,096. A job that is busy goes on for as many again. */
const LONG_HISTORY = 60;

/** A stage whose Temporal server finds histories long after a few events, so that jobs go on in new runs all the time. */
export interface ShortHistories extends Stage {
  readonly temporalAddress: string;
  readonly ledger: PodLedger;
  /** Ends the engine of this stage, worker and watcher. */
  stopEngine(): Promise<void>;
  /** Until it closes. */
  readonly closing: AbortSignal;
  /** Somebody else, with a connection of their own. */
  anotherClient(): Promise<SignalboxClient>;
  /** The run that the job is in. */
  runOf(job: JobHandle): Promise<string>;
}

/** `command`: what runs; without a worker of its own, nothing happens to jobs. `environment`: more settings of it. */
export async function openShortHistories(
  command: 'up' | 'watcher' = 'up',
  environment: NodeJS.ProcessEnv | ((stage: Stage) => Promise<NodeJS.ProcessEnv>) = {},
): Promise<ShortHistories> {
  const stage = await openStage();
  const { server, address } = await startServer();
  const settings = { address, namespace: 'default' };
  const temporal = await connectTemporal(settings);
  const clients: SignalboxClient[] = [];
  const anotherClient = async () => {
    const client = await SignalboxClient.connect({
      temporal: settings,
      cluster: { kubeconfig: stage.sandbox.kubeconfig },
      evidence: { store: 'files', directory: sandboxLayout(stage.sandbox.dir).evidence },
      namespace: stage.namespace,
    });
    clients.push(client);
    return client;
  };
  const logFile = join(stage.sandbox.dir, 'engines', `${stage.namespace}.log`);
  const engine = new Engine(command, { ...stage.sandbox, temporalAddress: address }, { logFile });
  await engine.start(typeof environment === 'function' ? await environment(stage) : environment);
  const closing = new AbortController();
  const ledger = await openPodLedger(stage.cluster, stage.namespace);
  return {
    ...stage,
    temporal,
    temporalAddress: address,
    ledger,
    stopEngine: () => engine.stop(),
    closing: closing.signal,
    client: await anotherClient(),
    anotherClient,
    runOf: async ({ workflowId }) => (await temporal.workflow.getHandle(workflowId).describe()).runId,
    close: async () => {
      closing.abort();
      await ledger.close();
      await engine.stop();
      await Promise.all(clients.map((client) => client.close()));
      await temporal.connection.close();
      await stop(server);
      await stage.close();
    },
  };
}

/** Starts it again when another process has taken one of its ports meanwhile. */
function startServer(): Promise<Server> {
  return eventually('a Temporal server answers', async () => {
    const { server, address } = await spawnServer();
    const isThere = () => connectTemporal({ address, namespace: 'default' }, { connectTimeout: 1_000 });
    const connected = await eventually('it answers, or has ended', async () => {
      if (server.exitCode !== null) return 'ended';
      await (await isThere()).connection.close();
      return 'connected';
    });
    return connected === 'connected' && { server, address };
  });
}

interface Server {
  readonly server: ChildProcess;
  readonly address: string;
}

async function spawnServer(): Promise<Server> {
  const { temporal } = await ensurePrograms({ names: ['temporal'] });
  const [port, http, metrics] = [await freePort(), await freePort(), await freePort()].map(String);
  const ports = ['--port', port!, '--http-port', http!, '--metrics-port', metrics!];
  const long = ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${LONG_HISTORY}`];
  const server = spawn(temporal, ['server', 'start-dev', '--headless', ...ports, ...long], {
    stdio: 'ignore',
  });
  return { server, address: `127.0.0.1:${port}` };
}

async function stop(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  await exited;
}
