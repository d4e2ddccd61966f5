import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { Engine } from '../../demo/engine.ts';
import { identify, isAlive } from '../../runtime/process-identity.mjs';
import { eventually } from '../eventually.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** One command runs a worker of two processes. */

const JOBS = 12;

let stage: Stage;
let worker: Engine;
let logFile: string;

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  logFile = join(stage.sandbox.dir, 'engines', `${stage.namespace}-processes.log`);
  worker = new Engine('worker', stage.sandbox, { logFile });
  await Promise.all([worker.start({ SIGNALBOX_PROCESSES: '2' }), stage.engine('watcher')]);
});

afterAll(async () => {
  await worker.stop();
  await stage.close();
});

type Line = Readonly<Record<string, unknown>>;

async function linesSaying(words: string): Promise<Line[]> {
  const lines = (await readFile(logFile, 'utf8')).split('\n');
  return lines.filter((line) => line.endsWith('}') && line.includes(words)).map((line) => JSON.parse(line));
}

/** In the order of their starts. */
const pids = async () => (await linesSaying('"worker process started"')).map(({ pid }) => Number(pid));

async function ask(path: string): Promise<Response> {
  const [listening] = await linesSaying('"listening for health');
  return fetch(`${listening!.address}${path}`);
}

const submit = (prefix: string): Promise<JobHandle[]> =>
  Promise.all(
    Array.from({ length: JOBS }, (_, index) =>
      stage.client.submit(
        simulatedJob({ name: `${prefix}-${index}`, namespace: stage.namespace, worker: false }),
      ),
    ),
  );

/** Which processes have carried out steps of the jobs. */
async function pidsBehind(jobs: readonly JobHandle[]): Promise<Set<number>> {
  const found = new Set<number>();
  for (const { workflowId } of jobs) {
    const { events } = await stage.temporal.workflow.getHandle(workflowId).fetchHistory();
    for (const { workflowTaskStartedEventAttributes, activityTaskStartedEventAttributes } of events ?? []) {
      const { identity } = workflowTaskStartedEventAttributes ?? activityTaskStartedEventAttributes ?? {};
      if (identity) found.add(Number(/ (\d+)@/.exec(identity)![1]));
    }
  }
  return found;
}

it('both processes carry out jobs', async () => {
  const jobs = await submit('both');
  await Promise.all(jobs.map((job) => untilPhase(job, 'Running')));
  expect([...(await pidsBehind(jobs))].sort()).toEqual((await pids()).sort());
});

it('their metrics are one page, with those of the SDK', async () => {
  const page = await (await ask('/metrics')).text();
  expect(page.match(/^# TYPE temporal_workflow_task_execution_latency /gm)).toHaveLength(1);
  const processes = [...page.matchAll(/^temporal_num_pollers\{process="(\d)"/gm)].map(([, number]) => number);
  expect([...new Set(processes)].sort()).toEqual(['1', '2']);
});

it('while one is killed and replaced, jobs go on', async () => {
  const [, second] = await pids();
  const submitted = submit('killed');
  process.kill(second!, 'SIGKILL');
  const jobs = await submitted;
  await Promise.all(jobs.map((job) => untilPhase(job, 'Running')));
  await eventually('both are ready', async () => (await ask('/readyz')).status === 200);
  expect(await linesSaying('a worker process has ended')).toMatchObject([{ process: 2, level: 'warn' }]);
  const [, , replacement] = await pids();
  await eventually('the new one works', async () => {
    const more = await submit(`after-${performance.now().toFixed()}`);
    await Promise.all(more.map((job) => untilPhase(job, 'Running')));
    return (await pidsBehind(more)).has(replacement!);
  });
});

it('SIGTERM ends all of them in order', async () => {
  const [first, , replacement] = await pids();
  const processes = [first, replacement].map((pid) => identify(pid!)!);
  await worker.stop();
  expect(processes.map(isAlive)).toEqual([false, false]);
  const stopped = await linesSaying('"msg":"stopped"');
  expect(stopped.map(({ part }) => part).sort()).toEqual(['worker 1', 'worker 2', 'workers']);
});
