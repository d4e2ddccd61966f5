import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SubmitOptions } from '../../client/servers/client-settings.ts';
import { aManifest, aName, type ClientStage, openClientStage, TASK_QUEUE } from '../client/client-stage.ts';
import { eventually } from '../eventually.ts';
import { commandLine } from './in-process.ts';
import { BIN, withoutProgress } from './process.ts';

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
});
afterAll(() => stage.close());

const environment = () => ({ TEMPORAL_ADDRESS: stage.server.address, SIGNALBOX_TASK_QUEUE: TASK_QUEUE });
const run = (...args: string[]) => commandLine(args, { env: environment() });

/** A job in a phase that Temporal's visibility store knows already; each test has a namespace of its own. */
async function jobIn(namespace: string, phase: string, options: SubmitOptions = {}) {
  const name = aName();
  const manifest = aManifest(name, phase);
  const named = { ...manifest, metadata: { ...manifest.metadata, namespace } };
  const job = await stage.client.submit(named, options);
  await eventually('the job is listed in its phase', async () => {
    for await (const listed of stage.client.list({ namespace }))
      if (listed.workflowId === job.workflowId && listed.phase === phase) return true;
    return false;
  });
  return { name, job, workflowId: job.workflowId };
}

describe('the namespace', () => {
  test('may stand before the command and after it', async () => {
    const { name, workflowId } = await jobIn('places', 'Running');
    for (const args of [
      ['-n', 'places', 'get', name, '-o', 'name'],
      ['get', name, '-n', 'places', '-o', 'name'],
      ['--namespace=places', 'get', name, '-o', 'name'],
    ]) {
      expect(await run(...args)).toMatchObject({ code: 0, stdout: `${workflowId}\n` });
    }
  });
});

describe('the name of a job', () => {
  test('may be that of submit, namespace and name, or any workflow id', async () => {
    const { name, workflowId } = await jobIn('names', 'Running');
    const other = await jobIn('names', 'Running', { workflowId: `own-${name}` });
    const slashes = await jobIn('names', 'Running', { workflowId: `team/a/own/${name}` });
    for (const [given, id] of [
      [workflowId, workflowId],
      [`names/${name}`, workflowId],
      [other.workflowId, other.workflowId],
      [slashes.workflowId, slashes.workflowId],
    ] as const) {
      expect(await run('get', given, '-o', 'name')).toMatchObject({ code: 0, stdout: `${id}\n` });
    }
  });

  test('may be one of several in a command', async () => {
    const [a, b] = [await jobIn('many', 'Running'), await jobIn('many', 'Running')];
    const { stdout } = await run('get', a.name, b.name, '-n', 'many', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject([{ name: a.name }, { name: b.name }]);
  });
});

describe('several jobs', () => {
  test('each get the request, with a line for each answer and a count', async () => {
    const [a, b] = [await jobIn('asked', 'Running'), await jobIn('asked', 'Running')];
    const { code, stdout, stderr } = await run('suspend', a.name, b.name, '-n', 'asked', '--why', 'all');
    expect(stdout.trim().split('\n').sort()).toEqual([
      `${a.workflowId}: suspend requested`,
      `${b.workflowId}: suspend requested`,
    ]);
    expect(withoutProgress(stderr)).toBe('2 jobs: 2 requested\n');
    expect(code).toBe(0);
    expect((await a.job.status()).timeline.at(-1)?.cause).toContain('"why":"all"');
  });

  test('get the request even if one does not exist, which decides the exit code', async () => {
    const { name, workflowId } = await jobIn('partly', 'Running');
    const { code, stdout, stderr } = await run('stop', 'nobody', name, '-n', 'partly');
    expect(stdout).toBe(`${workflowId}: stop requested\n`);
    expect(stderr).toContain('nobody: error: There is no job job/partly/nobody.');
    expect(stderr).toContain('2 jobs: 1 requested, 1 failed\n');
    expect(code).toBe(3);
  });

  test('are selected by phase, and only if live', async () => {
    const running = await jobIn('chosen', 'Running');
    const pending = await jobIn('chosen', 'Suspended');
    await jobIn('chosen', 'Completed');
    const { stdout } = await run('resume', '--all', '-n', 'chosen', '-o', 'json');
    expect(JSON.parse(stdout)).toEqual([{ workflowId: pending.workflowId, outcome: 'requested' }]);
    const stopped = await run('stop', '--phase', 'running', '-n', 'chosen', '-o', 'name');
    expect(stopped.stdout).toBe(`${running.workflowId}\n`);
  });

  test('get no request if the selection is empty, which is no failure', async () => {
    expect(await run('stop', '--all', '-n', 'empty')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No live job matches; nothing was requested.\n',
    });
  });

  test('with --wait are printed with their outcomes', async () => {
    const jobs = [await jobIn('waited', 'Running'), await jobIn('waited', 'Running')];
    const { code, stdout } = await run('stop', ...jobs.map(({ name }) => name), '-n', 'waited', '--wait');
    expect(stdout.match(/Stopped after/g)).toHaveLength(2);
    expect(code).toBe(0);
  });
});

describe('the list', () => {
  test('has no headings, more columns, or only names on request', async () => {
    const { name, workflowId } = await jobIn('columns', 'Running');
    const list = async (...flags: string[]) => (await run('list', '-n', 'columns', ...flags)).stdout;
    expect(await list()).toMatch(/^NAMESPACE +NAME +KIND +PHASE +REASON +ATTEMPT +AGE +TOOK\n/);
    expect(await list('-o', 'wide')).toMatch(
      /AGE +TOOK +RUN +SUBMITTED BY +SUBMITTED +WORKFLOW ID +WHY *\n.*ada@lovelace/,
    );
    expect(await list('--no-headers')).toMatch(new RegExp(`^columns +${name} .*Running[^\n]*\n$`));
    expect(await list('-o', 'name')).toBe(`${workflowId}\n`);
  });
});

describe('a filtered list', () => {
  const list = async (namespace: string, ...flags: string[]) => {
    const { stdout } = await run('list', '-n', namespace, ...flags, '-o', 'name');
    return stdout.split('\n').filter(Boolean);
  };

  test('shows jobs by label, submitter, time and reason, in any letter case', async () => {
    const nlp = await jobIn('filters', 'Running', { labels: { team: 'nlp', stage: 'a' } });
    const vision = await jobIn('filters', 'Failed', { labels: { team: 'vision' } });
    const both = [nlp.workflowId, vision.workflowId].sort();
    expect(await list('filters', '-l', 'team=nlp')).toEqual([nlp.workflowId]);
    expect(await list('filters', '-l', 'team=nlp,stage=a')).toEqual([nlp.workflowId]);
    expect(await list('filters', '-l', 'team=nlp,stage=b')).toEqual([]);
    expect((await list('filters', '--submitted-by', 'ada@lovelace')).sort()).toEqual(both);
    expect(await list('filters', '--submitted-by', 'bob')).toEqual([]);
    expect((await list('filters', '--since', '1h')).sort()).toEqual(both);
    expect(await list('filters', '--until', '1h')).toEqual([]);
    expect(await list('filters', '--since', '2999-01-01')).toEqual([]);
    expect(await list('filters', '--phase', 'failed')).toEqual([vision.workflowId]);
    expect((await list('filters', '--kind', 'pytorchjob')).sort()).toEqual(both);
  });

  test('shows its filters, where no job matches', async () => {
    const { stdout } = await run(
      'list',
      '-n',
      'none',
      '-l',
      'a=b',
      '--phase',
      'failed',
      '--reason',
      'nodelost',
    );
    expect(stdout).toBe('No jobs in namespace none with a=b are Failed for the reason NodeLost.\n');
  });

  test('jobs are stopped by label', async () => {
    const chosen = await jobIn('by-label', 'Running', { labels: { team: 'nlp' } });
    await jobIn('by-label', 'Running', { labels: { team: 'vision' } });
    const { stdout } = await run('stop', '-l', 'team=nlp', '-n', 'by-label', '-o', 'name');
    expect(stdout).toBe(`${chosen.workflowId}\n`);
  });
});

describe('--watch', () => {
  test('of a job prints a row for each change, and ends with the job', async () => {
    const { name, job } = await jobIn('watched', 'Running');
    const watch = watching('get', name, '-n', 'watched', '--watch');
    await eventually('the job is shown', () => /^NAMESPACE .*\n.*Running/.test(watch.said()));
    await job.stop();
    expect(await watch.ended).toBe(0);
    expect(watch.said().match(/Running|Stopped/g)).toEqual(['Running', 'Stopped']);
  });

  test('of a list prints one document for each job that changed, until it is interrupted', async () => {
    const first = await jobIn('watched-list', 'Running');
    const watch = watching('list', '-n', 'watched-list', '--watch', '-o', 'json');
    await eventually('the first job is shown', () => watch.documents().length === 1);
    const second = await jobIn('watched-list', 'Starting');
    await eventually('the second job is shown', () => watch.documents().length > 1);
    expect(watch.documents()[0]).toMatchObject({ name: first.name, phase: 'Running' });
    expect(watch.documents().at(-1)).toMatchObject({ name: second.name });
    watch.interrupt();
    await watch.ended;
  });
});

function watching(...args: readonly string[]) {
  const env = { PATH: process.env.PATH, SIGNALBOX_SANDBOX_DIR: '/nowhere', ...environment() };
  const child = spawn(process.execPath, [BIN, ...args], { env });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return {
    said: () => text,
    documents: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { name: string; phase: string }),
    interrupt: () => child.kill('SIGINT'),
    ended: new Promise<number | null>((resolve) => child.once('close', resolve)),
  };
}
