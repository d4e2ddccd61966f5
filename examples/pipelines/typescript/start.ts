import { Client, Connection } from '@temporalio/client';
import type { pipeline } from './workflows.ts';

/** Starts a pipeline and prints its result: node start.ts DATASET [NAMESPACE [STEPS]] */
const [dataset = 'digits', namespace = 'default', steps = '60'] = process.argv.slice(2);
const connection = await Connection.connect({ address: process.env.TEMPORAL_ADDRESS ?? 'localhost:7233' });
const client = new Client({ connection });
const run = await client.workflow.start<typeof pipeline>('pipeline', {
  workflowId: `pipeline/${namespace}/${dataset}`,
  taskQueue: 'pipelines',
  // Retries find the jobs that they have started: see `key` in workflows.ts.
  retry: { maximumAttempts: 3 },
  args: [{ dataset, namespace, steps: Number(steps) }],
});
console.log(await run.result());
await connection.close();
