import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import * as activities from './activities.ts';

/**
 * Runs the pipelines: node worker.ts [WORKFLOWS]. The training jobs run on signalbox's workers, which have a task queue of
 * their own.
 */
const [workflows = 'workflows.ts'] = process.argv.slice(2);
const connection = await NativeConnection.connect({
  address: process.env.TEMPORAL_ADDRESS ?? 'localhost:7233',
});
const worker = await Worker.create({
  connection,
  taskQueue: 'pipelines',
  workflowsPath: fileURLToPath(new URL(workflows, import.meta.url)),
  activities,
});
await worker.run();
await connection.close();
