import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { SignalboxClient } from 'signalbox';
import { trainingJobActivities } from 'signalbox/activity';

/** Runs workflows in a Temporal namespace of their own: node other-namespace.ts NAMESPACE */
const [namespace = 'pipelines'] = process.argv.slice(2);
const address = process.env.TEMPORAL_ADDRESS ?? 'localhost:7233';
const signalbox = await SignalboxClient.connect({ temporal: { address, namespace: 'default' } });
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  namespace,
  taskQueue: 'pipelines',
  workflowsPath: fileURLToPath(new URL('other-namespace-workflows.ts', import.meta.url)),
  activities: trainingJobActivities(signalbox),
});
await worker.run();
await connection.close();
await signalbox.close();
