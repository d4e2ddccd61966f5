import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { SignalboxClient } from '../../client/client.ts';
import { startTemporal, type TemporalServer } from './temporal-server.ts';

export const TASK_QUEUE = 'client-test';

/** A Temporal server, a worker with the stand-in workflow, and a client of each kind. */
export interface ClientStage {
  readonly server: TemporalServer;
  readonly temporal: Client;
  readonly client: SignalboxClient;
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
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
  let worker: { stop(): Promise<void> } | undefined;

  const startWorker = async () => {
    const created = await Worker.create({ connection, taskQueue: TASK_QUEUE, workflowBundle });
    const done = created.run();
    worker = {
      stop: () => {
        created.shutdown();
        return done;
      },
    };
  };
  const stopWorker = async () => {
    await worker?.stop();
    worker = undefined;
  };
  const close = async () => {
    await stopWorker();
    await Promise.all([client.close(), temporal.connection.close(), connection.close()]);
    await running.stop();
  };
  await startWorker();
  return { server: running, temporal, client, startWorker, stopWorker, close };
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
