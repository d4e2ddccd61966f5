import { stopSandbox } from '@signalbox/sandbox';
import { eventually } from '../eventually.ts';
import { untilAttempt, untilStatus } from '../scenarios/attempts.ts';
import { keep, letGo } from '../scenarios/kept-pods.ts';
import { simulatedJob, withPolicy } from '../scenarios/manifests.ts';
import { openShortHistories, type ShortHistories } from '../scenarios/short-histories.ts';
import { untilPhase } from '../scenarios/stage.ts';
import { runsOf } from '../workflow-runs.ts';
import { saveHistory } from './save-history.ts';

/**
 * `node test/replay/record-runs.ts`: a job that goes on in a new run while its gang waits for the last pod to go. Written
 * is the run that was interrupted, the one that took up its work, and the last. See record.ts.
 */

const NAME = 'continued';

const stage = await openShortHistories();
try {
  await record(stage);
} finally {
  await stage.close();
  await stopSandbox(stage.sandbox.dir);
}

async function record({
  client,
  temporal,
  temporalAddress: address,
  namespace,
  cluster,
  runOf,
  endPod,
}: ShortHistories) {
  const policy = { restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } } };
  const job = await client.submit(withPolicy(simulatedJob({ name: NAME, namespace }), policy));
  await untilPhase(job, 'Running');
  const first = await runOf(job);
  const stuck = `${NAME}-worker-0`;
  await keep({ cluster, namespace }, stuck);
  await endPod(`${NAME}-worker-1`, { exitCode: 1 });
  await untilStatus(job, 'it waits for its pod', ({ cause }) => cause?.reason === 'PodsTerminating');
  for (let asked = 0; asked < 30; asked++) await job.hold({ seconds: 0, by: 'ana' });
  await eventually('the job goes on in a new run', async () => (await runOf(job)) !== first);
  await letGo({ cluster, namespace }, stuck);
  for (let attempt = 2; attempt < 5; attempt++) {
    await untilAttempt(job, attempt);
    await endPod(`${NAME}-worker-0`, { exitCode: 1 });
  }
  await untilAttempt(job, 5);
  await endPod(`${NAME}-master-0`, { exitCode: 0 });
  await job.wait();
  const runs = await runsOf(temporal, job.workflowId, first);
  const { workflowId } = job;
  await saveHistory('interrupted', { address, workflowId, runId: runs[0]!.runId });
  await saveHistory('taken-up', { address, workflowId, runId: runs[1]!.runId });
  await saveHistory('last-run', { address, workflowId, runId: runs.at(-1)!.runId });
}
