import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aName, type ClientStage, openClientStage, TASK_QUEUE } from '../client/client-stage.ts';
import { commandLine } from './in-process.ts';

let stage: ClientStage;
let folder: string;
beforeAll(async () => {
  stage = await openClientStage();
  folder = await mkdtemp(join(tmpdir(), 'signalbox-cli-'));
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => runWith('', ...args);

const runWith = (stdin: string, ...args: string[]) =>
  commandLine(args, {
    stdin,
    env: {
      TEMPORAL_ADDRESS: stage.server.address,
      SIGNALBOX_TASK_QUEUE: TASK_QUEUE,
      SIGNALBOX_NAMESPACE: 'ml',
    },
  });

/** A manifest that the command line accepts, for the stand-in workflow to run. */
async function manifestFile(name: string, phases: string, image = 'python:3.13'): Promise<string> {
  const path = join(folder, `${name}.yaml`);
  await writeFile(
    path,
    `apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: ${name}
  annotations: { stand-in: "${phases}" }
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: Never
      template:
        spec:
          containers: [{ name: pytorch, image: "${image}" }]
`,
  );
  return path;
}

describe('submit', () => {
  test.each([
    ['Completed', 0],
    ['Failed', 10],
    ['Stopped', 11],
  ])('--wait prints that a job %s, with exit code %d', async (end, exitCode) => {
    const { code, stdout } = await run('submit', await manifestFile(aName(), `Running,${end}`), '--wait');
    expect(stdout).toMatch(new RegExp(`^PyTorchJob ml/job-\\S+ ${end} after [\\d.]+s`));
    expect(code).toBe(exitCode);
  });

  test('--follow prints each step, and the outcome at the end', async () => {
    const { code, stdout, stderr } = await run(
      'submit',
      await manifestFile(aName(), 'Running,Failed'),
      '--follow',
    );
    expect(stderr).toMatch(/Running {2}entered Running\n[\s\S]*Failed {2}entered Failed/);
    expect(stdout).toContain('PodFailed: because of PodFailed');
    expect(code).toBe(10);
  });

  test('prints JSON on request', async () => {
    const name = aName();
    const { stdout } = await run('submit', await manifestFile(name, 'Running'), '-o', 'json');
    expect(JSON.parse(stdout)).toEqual({
      workflowId: `job/ml/${name}`,
      runId: expect.any(String),
      submission: 'started',
    });
  });

  test('is idempotent, and another manifest under the name has an exit code of its own', async () => {
    const name = aName();
    const path = await manifestFile(name, 'Running');
    await run('submit', path);
    expect(await run('submit', path)).toMatchObject({
      code: 0,
      stdout: `job/ml/${name} is already running; the same manifest was submitted before\n`,
    });
    const { code, stderr } = await run('submit', await manifestFile(name, 'Running', 'other:1'));
    expect(stderr).toContain(`Stop it (\`signalbox stop ${name} -n ml\`), or choose another metadata.name.`);
    expect(code).toBe(5);
  });
});

describe('submit of several jobs', () => {
  test('starts all of them, and ignores objects that are no jobs', async () => {
    const names = [aName(), aName()];
    const files = await Promise.all(names.map((name) => manifestFile(name, 'Running')));
    const other = join(folder, 'claim.yaml');
    await writeFile(other, 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\n');
    const { code, stdout, stderr } = await run('submit', ...files, other, '-o', 'json');
    const started = names.map((name) => ({ workflowId: `job/ml/${name}`, submission: 'started' }));
    expect(JSON.parse(stdout)).toMatchObject(started);
    expect(stderr).toContain(
      'claim.yaml: PersistentVolumeClaim data is not a job; skipped (--create-others creates it, as `kubectl apply` does)',
    );
    expect(code).toBe(0);
  });

  test('--wait ends after all of them, with the exit code of the first that did not complete', async () => {
    const ends = ['Completed', 'Stopped', 'Failed'];
    const files = await Promise.all(ends.map((end) => manifestFile(aName(), `Running,${end}`)));
    const { code, stdout } = await run('submit', ...files, '--wait');
    expect(stdout.match(/(Completed|Stopped|Failed) after/g)).toEqual(ends.map((end) => `${end} after`));
    expect(code).toBe(11);
  });

  test('starts the others if one name is in use, and exits with the code for that', async () => {
    const [taken, free] = [aName(), aName()];
    await run('submit', await manifestFile(taken, 'Running'));
    const files = [await manifestFile(taken, 'Running', 'other:1'), await manifestFile(free, 'Running')];
    const { code, stdout, stderr } = await run('submit', ...files);
    expect(stdout).toBe(`job/ml/${free} started\n`);
    expect(stderr).toContain(
      `PyTorchJob ml/${taken}: error: Another manifest has been running as job/ml/${taken}`,
    );
    expect(stderr).toContain('2 jobs: 1 started, 1 failed\n');
    expect(code).toBe(5);
  });

  test('from a stream continues where an earlier one stopped', async () => {
    const names = Array.from({ length: 40 }, aName);
    const paths = await Promise.all(names.map((name) => manifestFile(name, 'Running')));
    const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    await runWith(texts.slice(0, 10).join('---\n'), 'submit', '-');
    const { code, stdout, stderr } = await runWith(texts.join('---\n'), 'submit', '-', '-o', 'json');
    expect(JSON.parse(stdout).map(({ workflowId }: { workflowId: string }) => workflowId)).toEqual(
      names.map((name) => `job/ml/${name}`),
    );
    expect(stderr).toMatch(/^40 jobs: (30 started, 10 already running|10 already running, 30 started)\n$/);
    expect(code).toBe(0);
  });

  test('with a key finds also what has ended since, and says what failed in its data', async () => {
    const [failed, taken] = [aName(), aName()];
    await run('submit', await manifestFile(failed, 'Failed'), '--key', 'trials', '--wait');
    await run('submit', await manifestFile(taken, 'Running'));
    const files = [await manifestFile(failed, 'Failed'), await manifestFile(taken, 'Running')];
    const { code, stdout } = await run('submit', ...files, '--key', 'trials', '-o', 'json');
    expect(JSON.parse(stdout)).toEqual([
      { workflowId: `job/ml/${failed}`, runId: expect.any(String), submission: 'already-ended' },
      {
        workflowId: `job/ml/${taken}`,
        submission: 'failed',
        error: {
          code: 'NameTaken',
          message: expect.stringMatching(/^Another submission of this manifest, with no key/),
          remedy: expect.any(String),
        },
      },
    ]);
    expect(code).toBe(5);
  });
});

describe('a job', () => {
  const name = aName();
  beforeAll(async () => {
    await run('submit', await manifestFile(name, 'Running,Failed'), '--wait');
  });

  test('is shown with its cause and remedy', async () => {
    const { stdout } = await run('get', name);
    expect(stdout).toMatch(/^PyTorchJob ml\/job-\S+ {2}Failed/);
    expect(stdout).toMatch(
      /cause {5}PodFailed: because of PodFailed\n\s+remedy {4}`signalbox history job-\S+ -n ml` says what/,
    );
    expect(stdout).not.toContain('\x1b[');
  });

  test('is printed as JSON for scripts', async () => {
    const { stdout } = await run('get', name, '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ name, phase: 'Failed', cause: { reason: 'PodFailed' } });
    expect((await run('get', name, '-o', 'yaml')).stdout).toContain('phase: Failed');
  });

  test('has a ledger in `history`', async () => {
    const { stdout } = await run('history', name);
    expect(stdout).toMatch(/AT +FOR +ATTEMPT +STATE +WHAT\n.*Running.*\n.*Failed/);
  });

  test('is found by its workflow id too', async () => {
    expect(await run('get', '--workflow-id', `job/ml/${name}`)).toMatchObject({ code: 0 });
  });

  test('is in the list', async () => {
    const { stdout } = await run('list', '--phase', 'Failed', '-o', 'json');
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name, phase: 'Failed' }));
    expect((await run('list', '-A')).stdout).toMatch(/^NAMESPACE +NAME +KIND +PHASE/);
  });

  test('that has ended does not need to be stopped', async () => {
    expect(await run('stop', name)).toMatchObject({ code: 0, stdout: `job/ml/${name}: has already ended\n` });
  });
});

describe('an earlier job of the same name', () => {
  const name = aName();
  beforeAll(async () => {
    await run('submit', await manifestFile(name, 'Running,Failed'), '--wait');
    await run('submit', await manifestFile(name, 'Running,Completed', 'python:3.14'), '--wait');
  });

  test('is named by the later one, and vice versa', async () => {
    expect((await run('get', name)).stdout).toMatch(
      new RegExp(`A job before had this name; it Failed \\S+ ago: signalbox get ${name}@-1\n$`),
    );
    const { stdout } = await run('get', `${name}@-1`);
    expect(stdout).toMatch(/^PyTorchJob ml\/job-\S+ {2}Failed/);
    expect(stdout).toMatch(
      new RegExp(`A later job has this name; it Completed \\S+ ago: signalbox get ${name}\n$`),
    );
  });

  test('is selected by the prefix of its run, which lists show', async () => {
    const { stdout } = await run('list', '--phase', 'Failed', '-o', 'wide');
    const line = stdout.split('\n').find((one) => one.includes(`${name} `))!;
    const id = /\b[0-9a-f]{8}[0-9a-f-]*\b/.exec(line)![0];
    expect((await run('history', `${name}@${id}`)).stdout).toMatch(/\n.*Failed/);
    expect((await run('get', `ml/${name}@${id}`, '-o', 'json')).stdout).toContain('"Failed"');
    expect((await run('diff', `${name}@${id}`, name)).stdout).toContain('python:3.14');
    const rerun = await run('rerun', `${name}@-1`, '--dry-run');
    expect(rerun.stdout).toContain('image: python:3.13');
  });

  test('keeps its evidence, and an error about the later job names it', async () => {
    expect(await run('evidence', name)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`Another job of that name Failed: signalbox evidence ${name}@-1`),
    });
    expect((await run('evidence', `${name}@-1`)).stderr).not.toContain('There is no evidence');
  });

  test('receives no requests, and neither does the later one instead', async () => {
    expect(await run('stop', `${name}@-1`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('already ended'),
    });
    expect(await run('suspend', `${name}@-1`)).toMatchObject({
      stderr: expect.stringContaining('has ended'),
    });
  });

  test('that does not exist is an error that lists those that do', async () => {
    expect(await run('get', `${name}@-2`)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /There is no job .*@-2\.\nOf that name there is run \S+ \(Completed, .*run \S+ \(Failed/,
      ),
    });
    expect(await run('get', `${name}@5f0`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('RUN is -1 for the job before the newest'),
    });
  });
});

test('stop ends a live job', async () => {
  const name = aName();
  await run('submit', await manifestFile(name, 'Running'));
  const { code, stdout } = await run('stop', name, '--why', 'enough', '--wait');
  expect(stdout).toContain('Stopped');
  expect(code).toBe(0);
});

test.each([['get'], ['history'], ['stop'], ['logs']])(
  '%s of a job that does not exist has its exit code',
  async (command) => {
    expect(await run(command, 'nobody')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('error: There is no job job/ml/nobody.'),
    });
  },
);

test('a name in which two letters are swapped is answered with the right one', async () => {
  const name = `swap-${aName()}`;
  await run('submit', await manifestFile(name, 'Running'));
  const { code, stderr } = await run('get', name.replace('swap', 'sawp'));
  expect(stderr).toContain(`; did you mean ${name}?`);
  expect(code).toBe(3);
});

test('logs suggests the job of a pod name', async () => {
  const name = aName();
  await run('submit', await manifestFile(name, 'Running'));
  const { stderr } = await run('logs', `${name}-worker-1`, '--kubeconfig', '/no/kubeconfig');
  expect(stderr).toContain('kubeconfig /no/kubeconfig');
  expect((await run('logs', 'nobody-worker-1')).stderr).toContain('There is no job job/ml/nobody-worker-1.');
});
