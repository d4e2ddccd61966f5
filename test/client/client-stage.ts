import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { SignalboxClient } from '../../client/handles/client.ts';
import { startTemporal, type TemporalServer } from './temporal-server.ts';

export const TASK_QUEUE = 'client-test';

/** A Temporal server, a worker with the stand-in workflow, and a client of each kind. */
export interface ClientStage {
  readonly server: TemporalServer;
  readonly temporal: Client;
  readonly client: SignalboxClient;
  /** Starts one more worker, of the queue of `client` unless said otherwise. */
  startWorker(taskQueue?: string): Promise<void>;
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
}

export async function openClientStage(server?: TemporalServer): Promise<ClientStage> {
  if (!Runtime._instance) Runtime.install({ logger: new DefaultLogger('ERROR') });
  const running = server ?? (await startTemporal());
  const { address } = running;
  const temporal = new Client({ connection: await Connection.connect({ address }) });
  const client = await connect(address);
  const workflowsPath = fileURLToPath(new URL('./stand-in-workflow.ts', import.meta.url));
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  const connection = await NativeConnection.connect({ address });
  const workers: { stop(): Promise<void> }[] = [];

  const startWorker = async (taskQueue = TASK_QUEUE) => {
    const created = await Worker.create({ connection, taskQueue, workflowBundle });
    const done = created.run();
    workers.push({
      stop: () => {
        created.shutdown();
        return done;
      },
    });
  };
  const stopWorkers = async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  };
  const close = async () => {
    await stopWorkers();
    await Promise.all([client.close(), temporal.connection.close(), connection.close()]);
    await running.stop();
  };
  await startWorker();
  return { server: running, temporal, client, startWorker, stopWorkers, close };
}

export const connect = (address: string, taskQueue = TASK_QUEUE): Promise<SignalboxClient> =>
  SignalboxClient.connect({
    temporal: { address, namespace: 'default' },
    taskQueue,
    submittedBy: 'ada@lovelace',
    validate: (manifest) =>
      manifest.spec === 'wrong' ? [{ path: 'spec', expected: 'an object', got: '"wrong"' }] : [],
  });

let count = 0;

/** Every test has a job of its own. */
export const aName = (): string => `job-${process.pid}-${++count}`;

export const aManifest = (name: string, phases?: string, spec: unknown = {}) => ({
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: { name, namespace: 'ml', annotations: phases ? { 'stand-in': phases } : {} },
  spec,
});
