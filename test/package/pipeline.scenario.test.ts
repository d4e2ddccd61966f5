import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { manifestFor } from '../../examples/pipelines/typescript/manifests.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { ROOT } from '../deploy/manifests.ts';
import { eventually } from '../eventually.ts';
import { openStage, type Stage, untilPhase } from '../scenarios/stage.ts';
import { createProject, type Project } from './project.ts';

const EXAMPLE = join(ROOT, 'examples/pipelines/typescript');

let stage: Stage;
let project: Project;
beforeAll(async () => {
  project = createProject('signalbox');
  cpSync(EXAMPLE, project.dir, { recursive: true });
  stage = await openStage();
  await stage.engine('up');
});
afterAll(async () => {
  await stage?.close();
  project?.remove();
});

describe('the example pipeline, in a project that has installed the package', () => {
  test('prepares data, trains two models at once, and compares them', async () => {
    await withWorker(['worker.ts'], async () => {
      const { said, code } = await ended(run('start.ts', 'digits', stage.namespace));
      expect({ code, said }).toMatchObject({ code: 0 });
      expect(said).toMatch(/best: 'digits-\d'/);
      expect(said).toMatch(/accuracies: \{ 'digits-1': 0\.\d+, 'digits-2': 0\.\d+ \}/);
    });
    const jobs = await Promise.all(
      ['digits-1', 'digits-2'].map((name) => stage.client.job({ name }).status()),
    );
    expect(jobs.map(({ phase }) => phase)).toEqual(['Completed', 'Completed']);
    const starts = jobs.map(({ startTime }) => Date.parse(startTime!));
    const ends = jobs.map(({ completionTime }) => Date.parse(completionTime!));
    expect(Math.max(...starts)).toBeLessThan(Math.min(...ends));
  });

  test('stops its jobs when it is cancelled, and ends after them', async () => {
    await withWorker(['worker.ts'], async () => {
      const start = ended(run('start.ts', 'cancelled', stage.namespace, '100000'));
      const pipeline = stage.temporal.workflow.getHandle(`pipeline/${stage.namespace}/cancelled`);
      const jobs = [1, 2].map((workers) => stage.client.job({ name: `cancelled-${workers}` }));
      await Promise.all(jobs.map((job) => untilPhase(job, 'Running')));
      await pipeline.cancel();
      await expect(pipeline.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      const ends = await Promise.all(jobs.map((job) => job.summary()));
      expect(ends.map(({ phase }) => phase)).toEqual(['Stopped', 'Stopped']);
      const outcome = await jobs[0]!.wait();
      expect(outcome.cause?.message).toContain(`workflow pipeline/${stage.namespace}/cancelled`);
      await expect(start).resolves.toMatchObject({
        code: 1,
        said: expect.stringContaining('CancelledFailure'),
      });
    });
  });
});

test('the README’s program runs in a project that has installed the package', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, program] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const ofThisTest = [
    ["name: 'digits'", `name: 'readme', namespace: '${stage.namespace}'`],
    ["['python', 'train.py']", "['node', '--eval', '0']"],
  ] as const;
  for (const [words] of ofThisTest) expect(program).toContain(words);
  const text = ofThisTest.reduce((replaced, [from, to]) => replaced.replace(from, to), program!);
  project.write('readme.ts', `${text}\nconsole.log(job.submission, outcome.phase);\n`);
  expect(await ended(run('readme.ts'))).toMatchObject({ said: 'started Completed\n' });
  expect(await ended(run('readme.ts'))).toMatchObject({ said: 'already-completed Completed\n' });
});

describe('a training job in a custom workflow', () => {
  test('runs once, though the workflow is retried after it', async () => {
    project.write('flaky.ts', FLAKY);
    const name = 'once-1';
    await withWorker(['worker.ts', 'flaky.ts'], async () => {
      const { temporal, namespace } = stage;
      const workflowId = `flaky/${namespace}`;
      const retry = { maximumAttempts: 3, initialInterval: '1 second' } as const;
      const options = { workflowId, taskQueue: 'pipelines', retry, args: [quickJob('once')] };
      await expect(temporal.workflow.execute('flaky', options)).resolves.toBe('Completed after 3 attempts');
    });
    expect(await runsOf(`job/${stage.namespace}/${name}`)).toHaveLength(1);
  });

  test('is stopped, and its pods are removed, when the workflow is terminated', async () => {
    await withWorker(['worker.ts', 'flaky.ts'], async () => {
      const { temporal, namespace, client } = stage;
      const options = { workflowId: `ended/${namespace}`, taskQueue: 'pipelines', args: [longJob('left')] };
      const caller = await temporal.workflow.start('flaky', options);
      const job = client.job({ name: 'left-1' });
      await untilPhase(job, 'Running');
      await caller.terminate();
      await expect(job.wait()).resolves.toMatchObject({ phase: 'Stopped' });
      expect((await stage.pods('left-1')).filter(({ metadata }) => !metadata.deletionTimestamp)).toEqual([]);
    });
  });

  test('is refused if another job has its name', async () => {
    await withWorker(['worker.ts', 'flaky.ts'], async () => {
      const { temporal, namespace, client } = stage;
      const other = await client.submit(longJob('taken'));
      const options = { workflowId: `second/${namespace}`, taskQueue: 'pipelines', args: [longJob('taken')] };
      await expect(temporal.workflow.execute('flaky', options)).rejects.toMatchObject({
        cause: {
          type: 'NameTaken',
          message: expect.stringContaining(`Another job is live as ${other.workflowId}`),
        },
      });
      await other.stop();
    });
  });

  test('runs for a workflow in another Temporal namespace, by an activity', async () => {
    const namespace = `callers-${stage.namespace}`;
    const elsewhere = await openTemporalNamespace(namespace);
    try {
      await withWorker(['other-namespace.ts', namespace], async () => {
        const options = { workflowId: 'train', taskQueue: 'pipelines', args: [quickJob('elsewhere')] };
        await expect(elsewhere.workflow.execute('train', options)).resolves.toBe('Completed');
        const cancelled = { workflowId: 'cancelled', taskQueue: 'pipelines', args: [longJob('far')] };
        const caller = await elsewhere.workflow.start('train', cancelled);
        const job = stage.client.job({ name: 'far-1' });
        await untilPhase(job, 'Running');
        await caller.cancel();
        await expect(caller.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
        await expect(job.wait()).resolves.toMatchObject({ phase: 'Stopped' });
      });
    } finally {
      await elsewhere.connection.close();
    }
  });
});

/** A workflow that fails after its training, twice. */
const FLAKY = `
import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { runTrainingJob } from 'signalbox/workflow';

export async function flaky(manifest: object): Promise<string> {
  const { phase } = await runTrainingJob(manifest, { key: 'train' });
  const { attempt } = workflowInfo();
  if (attempt < 3) throw ApplicationFailure.retryable('the evaluation failed');
  return phase + ' after ' + attempt + ' attempts';
}
`;

const quickJob = (name: string) => jobOf(name, 20);
const longJob = (name: string) => jobOf(name, 100_000);

const jobOf = (name: string, steps: number) =>
  manifestFor({ dataset: { name, steps }, workers: 1, namespace: stage.namespace });

async function runsOf(workflowId: string): Promise<string[]> {
  const runs: string[] = [];
  const query = `WorkflowId = '${workflowId}'`;
  for await (const { runId } of stage.temporal.workflow.list({ query })) runs.push(runId);
  return runs;
}

async function openTemporalNamespace(namespace: string): Promise<Client> {
  const day = { seconds: 86_400 as never };
  await stage.temporal.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: day,
  });
  const client = await connectTemporal({ address: stage.sandbox.temporalAddress, namespace });
  await eventually('the namespace is there', () =>
    client.workflowService.countWorkflowExecutions({ namespace }),
  );
  return client;
}

function run(...args: readonly string[]): ChildProcess {
  const env = { ...process.env, TEMPORAL_ADDRESS: stage.sandbox.temporalAddress };
  return spawn(process.execPath, args, { cwd: project.dir, env, stdio: 'pipe' });
}

async function ended(program: ChildProcess): Promise<{ code: number; said: string }> {
  let said = '';
  for (const stream of [program.stdout!, program.stderr!]) stream.on('data', (chunk) => (said += chunk));
  const [code] = await once(program, 'close');
  return { code, said };
}

async function withWorker(args: readonly string[], work: () => Promise<void>): Promise<void> {
  const worker = run(...args);
  const end = ended(worker);
  try {
    await Promise.race([
      work(),
      end.then(({ said }) => Promise.reject(new Error(`the worker ended: ${said}`))),
    ]);
  } finally {
    worker.kill();
    await end;
  }
}
