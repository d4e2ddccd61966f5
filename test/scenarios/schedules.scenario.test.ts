import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobSummary } from '../../client/servers/summary.ts';
import type { ScheduleDetails, ScheduleSummary } from '../../client/use-cases/schedules/schedule-types.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { asFields } from '../../language/fields.ts';
import { eventually } from '../eventually.ts';
import { allOf } from '../record/archive/all-of.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage } from './stage.ts';
import { openTemporalCli, type TemporalCli } from './temporal-cli.ts';
import { commandLine } from './ways-to-ask.ts';

/** Schedules as people use them: with both command lines, on a real server. */

let stage: Stage;
let folder: string;
let temporal: TemporalCli;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  folder = await mkdtemp(join(tmpdir(), 'signalbox-schedules-'));
  temporal = await openTemporalCli(stage);
});

afterAll(async () => {
  for await (const { scheduleId } of stage.client.schedules.list({ namespace: stage.namespace }))
    if (scheduleId.includes(stage.namespace)) await stage.client.schedules.delete({ scheduleId });
  await rm(folder, { recursive: true });
  await stage.close();
});

const sb = (...args: string[]) => commandLine(stage)(...args);

const sbJson = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await sb(...args, '-o', 'json');
  if (code !== 0) throw new Error(`signalbox ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as T;
};

async function manifestFile(name: string, metadata: object = { name }): Promise<string> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify({ ...simulatedJob({ name, namespace: stage.namespace }), metadata }));
  return file;
}

const jobsOf = async (schedule: string): Promise<JobSummary[]> => {
  const jobs = await allOf(stage.client.list({ namespace: stage.namespace }));
  return jobs.filter(({ name }) => name.startsWith(`${schedule}-`));
};

const untilJobs = (name: string, phases: readonly string[]) =>
  eventually(`jobs of ${name} are ${phases.join(', ')}`, async () => {
    const jobs = await jobsOf(name);
    const found = jobs.map(({ phase }) => phase).sort();
    if (JSON.stringify(found) !== JSON.stringify([...phases].sort()))
      throw new Error(`they are ${found.join()}`);
    return jobs;
  });

/** Never due by itself within a test. */
const RARELY = ['--cron', '0 2 29 2 *'];

it.concurrent('a CronJob of Volcano is a schedule of its Jobs', async () => {
  const { metadata, spec } = simulatedJob({ name: 'cron', namespace: stage.namespace });
  const { Worker: task } = asFields(asFields(spec).pytorchReplicaSpecs);
  const cron = {
    ...{ apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'CronJob', metadata },
    spec: {
      ...{ schedule: '0 2 29 2 *', timeZone: 'Europe/Berlin', concurrencyPolicy: 'Forbid' },
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: { tasks: [task] } },
    },
  };
  const file = join(folder, 'cron.json');
  await writeFile(file, JSON.stringify(cron));
  const { stdout, stderr } = await sb('schedule', 'create', file);
  expect(stdout).toContain('0 2 29 2 * (Europe/Berlin)');
  expect(stderr).toContain('warning: spec.failedJobsHistoryLimit: without effect');
  await sb('schedule', 'trigger', 'cron');
  const [job] = await untilJobs('cron', ['Running']);
  expect(job).toMatchObject({ kind: 'Job' });
});

describe('a schedule', () => {
  it.concurrent('is created, shown, listed, paused, unpaused and deleted', async () => {
    const file = await manifestFile('nightly');
    const created = await sb(
      'schedule',
      'create',
      file,
      ...RARELY,
      '--time-zone',
      'Europe/Berlin',
      '--note',
      'ask ana',
    );
    expect(created.stdout).toContain(`schedule ${stage.namespace}/nightly  active`);
    const { nextRuns, ...shown } = await sbJson<ScheduleDetails>('schedule', 'get', 'nightly');
    expect(shown).toMatchObject({
      scheduleId: `${stage.namespace}/nightly`,
      kind: 'PyTorchJob',
      when: ['0 2 29 2 * (Europe/Berlin)'],
      overlap: 'skip',
      catchUp: 3_600_000,
      note: 'ask ana',
      paused: false,
    });
    expect(nextRuns[0]).toMatch(/-02-29T01:00:00.000Z$/);
    await sb('schedule', 'pause', 'nightly', '--why', 'maintenance');
    const paused = await eventually('the list shows the pause', async () => {
      const list = await sbJson<ScheduleSummary[]>('schedule', 'list');
      return list.find(({ name, paused }) => name === 'nightly' && paused);
    });
    expect(paused.note).toMatch(/^paused by .+: maintenance$/);
    await sb('schedule', 'unpause', `${stage.namespace}/nightly`);
    expect((await sbJson<ScheduleDetails>('schedule', 'get', 'nightly')).paused).toBe(false);
    expect(await sb('schedule', 'delete', 'nightly')).toMatchObject({
      code: 0,
      stdout: 'schedule nightly deleted\n',
    });
    expect(await sb('schedule', 'get', 'nightly')).toMatchObject({ code: 3 });
  });

  it.concurrent('starts jobs by the clock, and skips one while another runs', async () => {
    await sb('schedule', 'create', await manifestFile('clock'), '--every', '2s');
    const [job] = await untilJobs('clock', ['Running']);
    expect(job?.name).toMatch(/^clock-\d{8}-\d{6}$/);
    await eventually('one is skipped', async () => {
      const { counts } = await sbJson<ScheduleDetails>('schedule', 'get', 'clock');
      return counts.skipped > 0 && counts.started === 1;
    });
    await sb('schedule', 'delete', 'clock');
    await sb('stop', job!.name);
  });

  it.concurrent('runs two jobs at once under names of their own, which every command takes', async () => {
    await sb('schedule', 'create', await manifestFile('twice'), ...RARELY, '--label', 'team=vision');
    await sb('schedule', 'trigger', 'twice');
    await untilJobs('twice', ['Running']);
    await sb('schedule', 'trigger', 'twice');
    const jobs = await untilJobs('twice', ['Running', 'Running']);
    expect(new Set(jobs.map(({ name }) => name)).size).toBe(2);
    for (const { name, workflowId } of jobs) {
      expect(workflowId).toMatch(new RegExp(`^job/${stage.namespace}/twice-\\d{4}-\\d\\d-\\d\\dT`));
      expect(await sbJson<JobStatus>('get', name)).toMatchObject({ name, phase: 'Running' });
      expect((await sb('history', name)).stdout).toContain('Running');
      expect((await stage.pods(name)).map(({ metadata }) => metadata.name)).toContain(`${name}-master-0`);
    }
    const query = `JobLabels = "team=vision" AND JobNamespace = "${stage.namespace}" AND ExecutionStatus = "Running"`;
    expect(await temporal('workflow', 'count', '--query', query)).toContain('2');
    for (const { name } of jobs) await sb('stop', name);
  });

  it.concurrent('stops the job that runs, which cleans up, before the next one starts', async () => {
    await sb('schedule', 'create', await manifestFile('newest'), ...RARELY, '--overlap', 'stop-running');
    await sb('schedule', 'trigger', 'newest', '--overlap', 'skip');
    const [first] = await untilJobs('newest', ['Running']);
    await sb('schedule', 'trigger', 'newest', '--overlap', 'stop-running');
    await untilJobs('newest', ['Stopped', 'Running']);
    expect(await sbJson<JobStatus>('get', first!.name)).toMatchObject({
      phase: 'Stopped',
      cause: { reason: 'Cancelled' },
    });
    expect(await stage.pods(first!.name)).toEqual([]);
    for (const { name, phase } of await jobsOf('newest')) if (phase === 'Running') await sb('stop', name);
  });

  it.concurrent('starts past runs, one after the other', async () => {
    await sb('schedule', 'create', await manifestFile('past'), '--cron', '0 2 * * *', '--paused');
    await sb(
      'schedule',
      'backfill',
      'past',
      '--from',
      '2026-11-01T02:00:00Z',
      '--to',
      '2026-11-02T02:00:00Z',
    );
    const [first] = await untilJobs('past', ['Running']);
    expect(first?.name).toBe('past-20261101-020000');
    for (const { metadata } of await stage.pods(first!.name))
      await stage.endPod(metadata.name, { exitCode: 0 });
    const jobs = await untilJobs('past', ['Completed', 'Running']);
    expect(jobs.map(({ name }) => name).sort()).toEqual(['past-20261101-020000', 'past-20261102-020000']);
    await sb('stop', 'past-20261102-020000');
  });
});

describe("a schedule of Temporal's own command line", () => {
  it.concurrent('starts jobs with generated names, too, and is shown', async () => {
    const { namespace } = stage;
    const file = await manifestFile('plain', { generateName: 'plain-', namespace });
    const scheduleId = `plain-${namespace}`;
    await temporal(
      ...['schedule', 'create', '--schedule-id', scheduleId, '--cron', '0 2 29 2 *'],
      ...['--type', 'trainingJob', '--task-queue', 'signalbox', '--workflow-id', `job/${namespace}/plain`],
      ...['--input-file', file],
    );
    await temporal('schedule', 'trigger', '--schedule-id', scheduleId);
    const [job] = await untilJobs('plain', ['Running']);
    expect(job?.name).toMatch(/^plain-\d{8}-\d{6}$/);
    const by = `JobSubmittedBy = "schedule ${scheduleId}" AND JobName = "${job?.name}"`;
    expect(await temporal('workflow', 'count', '--query', by)).toContain('1');
    expect((await sb('schedule', 'get', scheduleId)).stdout).toContain(job!.workflowId);
    await sb('schedule', 'delete', scheduleId);
    await sb('stop', job!.name);
  });
});

describe('an invalid request for a schedule', () => {
  it.concurrent.each<[what: string, args: readonly string[], code: number, why: string]>([
    ['without a time', [], 2, 'Expected when jobs are due'],
    ['with a wrong expression', ['--cron', 'a b'], 2, 'CronString does not have 5-7 fields'],
    [
      'with an unknown zone',
      [...RARELY, '--time-zone', 'Mars'],
      2,
      'timeZone: expected an IANA name like Europe/Berlin',
    ],
    ['with an offset of nothing', [...RARELY, '--offset', '5m'], 2, 'offset: expected less than `every`'],
    [
      'with an unknown policy',
      [...RARELY, '--overlap', 'terminate'],
      2,
      'Allowed choices are skip, queue-one',
    ],
  ])('%s is refused with what is expected', async (_, args, code, why) => {
    const refused = await sb('schedule', 'create', await manifestFile('wrong'), ...args);
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).toContain(why);
  });

  it.concurrent('with a manifest whose jobs would all fail is refused with the reason', async () => {
    const long = await manifestFile('a'.repeat(50));
    const { code, stderr } = await sb('schedule', 'create', long, ...RARELY);
    expect([code, stderr]).toEqual([4, expect.stringContaining('metadata.name: expected')]);
  });

  it.concurrent('for a day that does not exist is created with a warning', async () => {
    const never = await sb('schedule', 'create', await manifestFile('never'), '--cron', '0 2 31 2 *');
    expect(never).toMatchObject({ code: 0, stderr: expect.stringContaining('has no next time') });
    const rare = await sb('schedule', 'create', await manifestFile('rare'), '--cron', '0 2 29 2 *');
    expect(rare).toMatchObject({ code: 0, stderr: '' });
    for (const name of ['never', 'rare']) await sb('schedule', 'delete', name);
  });

  it.concurrent('for a name in use changes nothing', async () => {
    const file = await manifestFile('taken');
    await sb('schedule', 'create', file, ...RARELY);
    const { code, stderr } = await sb('schedule', 'create', file, '--every', '1h');
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`There is a schedule ${stage.namespace}/taken already.`),
    ]);
  });
});
