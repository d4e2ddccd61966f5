import { stopSandbox } from '@signalbox/sandbox';
import { eventually } from '../eventually.ts';
import { SUCCEEDS, simulatedJob } from '../scenarios/manifests.ts';
import { openRecordedKueue } from '../scenarios/recorded-kueue.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { lanesOf, RECORDINGS, runningJob } from './recordings.ts';
import { saveHistory } from './save-history.ts';

/**
 * `node test/replay/record.ts [NAME...]`: runs jobs on the test sandbox and writes their histories to histories/, where
 * replay.test.ts finds them. What releases did is in releases/ and never recorded again.
 */

/** The orphan clean-up is a workflow of its own, which the watcher starts for a job that was terminated. */
async function recordOrphan(stage: Stage): Promise<string> {
  const job = await runningJob(stage, { name: 'orphan' });
  await stage.temporal.workflow.getHandle(job.workflowId).terminate('recorded');
  return eventually('the job is cleaned up', async () => {
    const query = `WorkflowType = "cleanUpOrphan" AND ExecutionStatus = "Completed"`;
    for await (const { workflowId } of stage.temporal.workflow.list({ query })) {
      if (workflowId.includes(`/${stage.namespace}/`)) return workflowId;
    }
    return undefined;
  });
}

/** So is the expiry of what is left of an ended job. */
async function recordExpired(stage: Stage): Promise<string> {
  const job = await runningJob(stage, { name: 'expired', runPolicy: { ttlSecondsAfterFinished: 1 } });
  await stage.endPod('expired-master-0', { exitCode: 0 });
  await job.wait();
  return eventually('what is left of it has gone', async () => {
    const query = `WorkflowType = "expireJob" AND ExecutionStatus = "Completed"`;
    for await (const { workflowId } of stage.temporal.workflow.list({ query })) {
      if (workflowId.includes(`/${stage.namespace}/expired/`)) return workflowId;
    }
    return undefined;
  });
}

/** The trials are jobs of their own. One fails, and the rest is stopped. */
async function recordParameterSweep({ client, namespace }: Stage): Promise<string> {
  const master = { annotations: SUCCEEDS, restartPolicy: 'Never' };
  const manifest = simulatedJob({ name: 'parameter-sweep', namespace, master, worker: false });
  const end = 'spec.pytorchReplicaSpecs.Master.template.metadata.annotations[signalbox.dev/simulate]';
  const set = { [end]: ['succeeded', 'failed', 'never', 'never'] };
  const sweep = await client.sweep(manifest, { set, atMost: 1, why: 'recorded' });
  await eventually('the third trial runs', async () => {
    const { completed, failed, running } = await sweep.summary();
    return completed === 1 && failed === 1 && running === 1;
  });
  await sweep.stop({ by: 'ana', why: 'recorded' });
  await sweep.wait();
  return sweep.workflowId;
}

/** Workflows of other types than a job's; each returns its id. */
const OTHERS: Readonly<Record<string, (stage: Stage) => Promise<string>>> = {
  orphan: recordOrphan,
  expired: recordExpired,
  'parameter-sweep': recordParameterSweep,
};

async function main(names: readonly string[]): Promise<void> {
  const wanted = ([name]: readonly [string, unknown]) => names.length === 0 || names.includes(name);
  const stage = await openStage();
  const address = stage.sandbox.temporalAddress;
  const kueue = await openRecordedKueue(stage);
  try {
    await stage.engine('up', await lanesOf(stage));
    for (const [name, record] of Object.entries(RECORDINGS).filter(wanted)) {
      const job = await record(stage, name);
      await job.wait();
      await saveHistory(name, { address, workflowId: job.workflowId });
    }
    for (const [name, record] of Object.entries(OTHERS).filter(wanted))
      await saveHistory(name, { address, workflowId: await record(stage) });
  } finally {
    await kueue.close();
    await stage.close();
    await stopSandbox(stage.sandbox.dir);
  }
}

await main(process.argv.slice(2));
