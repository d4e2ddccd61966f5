import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensurePrograms, stopSandbox } from '@signalbox/sandbox';
import { eventually } from '../eventually.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { anonymous } from './anonymous.ts';
import { RECORDINGS, runningJob } from './recordings.ts';

/**
 * `node test/replay/record.ts [NAME...]`: runs jobs on the test sandbox and writes their histories to histories/, where
 * replay.test.ts finds them. Record a new one beside the old ones when a path is added. From the first release on, never record an old one anew to
 * make a test pass: jobs with that history may be alive somewhere.
 */

const FOLDER = fileURLToPath(new URL('./histories', import.meta.url));
const run = promisify(execFile);

/** The sweep is a workflow of its own, which the watcher starts for a job that was terminated. */
async function recordSwept(stage: Stage): Promise<string> {
  const job = await runningJob(stage, { name: 'swept' });
  await stage.temporal.workflow.getHandle(job.workflowId).terminate('recorded');
  return eventually('the job is swept', async () => {
    const query = `WorkflowType = "sweepJob" AND ExecutionStatus = "Completed"`;
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

async function main(names: readonly string[]): Promise<void> {
  const wanted = (name: string) => names.length === 0 || names.includes(name);
  await mkdir(FOLDER, { recursive: true });
  const { temporal } = await ensurePrograms({ names: ['temporal'] });
  const stage = await openStage();
  const save = async (name: string, workflowId: string) => {
    const address = ['--address', stage.sandbox.temporalAddress];
    const show = ['workflow', 'show', '--workflow-id', workflowId, '-o', 'json', ...address];
    const { stdout } = await run(temporal, show, { maxBuffer: 64 * 1024 * 1024 });
    await writeFile(`${FOLDER}/${name}.json`, `${anonymous(JSON.stringify(JSON.parse(stdout)))}\n`);
    console.log(`recorded ${name}`);
  };
  try {
    await stage.engine('up');
    for (const [name, record] of Object.entries(RECORDINGS).filter(([name]) => wanted(name))) {
      const job = await record(stage, name);
      await job.wait();
      await save(name, job.workflowId);
    }
    if (wanted('swept')) await save('swept', await recordSwept(stage));
    if (wanted('expired')) await save('expired', await recordExpired(stage));
  } finally {
    await stage.close();
    await stopSandbox(stage.sandbox.dir);
  }
}

await main(process.argv.slice(2));
