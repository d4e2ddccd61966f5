import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { allOf } from '../record/archive/all-of.ts';
import { statusOf } from '../status-of.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { type Manifest, SUCCEEDS, simulatedJob } from './manifests.ts';
import { untilPhase } from './stage.ts';

let on: ArchiveStage;
beforeAll(async () => {
  on = await openArchiveStage();
  await on.engine().start(on.settings);
});
afterAll(() => on?.close());

const FAILS = { 'signalbox.dev/simulate': 'failed', 'signalbox.dev/simulate-exit-code': '1' };
const DONE = { master: { annotations: SUCCEEDS }, worker: false } as const;

/** How jobs end, and what is done to them before. */
const FATES: Readonly<Record<string, { readonly job?: object; meet?(job: JobHandle): Promise<unknown> }>> = {
  completed: { job: DONE },
  failed: { job: { master: { annotations: FAILS, restartPolicy: 'Never' }, worker: false } },
  stopped: { meet: (job) => job.stop({ by: 'bob', why: 'enough seen' }) },
  cancelled: { meet: async (job) => on.temporal.workflow.getHandle(job.workflowId).cancel() },
  terminated: {
    meet: async (job) => on.temporal.workflow.getHandle(job.workflowId).terminate('no reason'),
  },
  scaled: {
    meet: async (job) => {
      const larger = { role: 'Worker', replicas: 3, by: 'ana' };
      await expect(job.scale(larger)).rejects.toThrow('cannot change its size while it runs');
      await job.suspend({ by: 'ana' });
      await untilPhase(job, 'Suspended');
      await job.scale(larger);
      await job.scale({ ...larger, replicas: 4, by: 'cy' });
      await job.stop({ by: 'bob' });
    },
  },
  suspended: {
    meet: async (job) => {
      await job.suspend({ by: 'eve', why: 'lunch' });
      await untilPhase(job, 'Suspended');
      await job.resume({ by: 'eve' });
      await job.stop({ by: 'eve' });
    },
  },
};

const jobOf = (name: string, options: object = {}): Manifest =>
  simulatedJob({ name, namespace: on.stage.namespace, ...options });

async function meetFate(name: string): Promise<JobHandle> {
  const { job: options, meet } = FATES[name]!;
  const job = await on.client.submit(jobOf(name, options), { why: `to be ${name}` });
  if (meet) {
    await untilPhase(job, 'Running');
    await meet(job);
  }
  return job;
}

const archived = (name: string): Promise<JobArchive> =>
  eventually(`${name} is archived`, async () => {
    const found = await on.archive.find({ namespace: on.stage.namespace, name });
    if (!found) throw new Error('it is not');
    return found;
  });

const withoutPrev = (entries: readonly (LedgerEntry & { prev?: string })[]) =>
  entries.map(({ prev: _, ...entry }) => entry);

describe('jobs with every kind of end', () => {
  let jobs: readonly JobHandle[] = [];
  beforeAll(async () => {
    jobs = await Promise.all(Object.keys(FATES).map(meetFate));
    await Promise.all(jobs.map((job) => job.wait()));
  });

  it.each(Object.keys(FATES))('are archived when they end: %s', async (name) => {
    const archive = await archived(name);
    const job = jobs.find(({ workflowId }) => workflowId.endsWith(`/${name}`))!;
    const status = await statusOf(job);
    expect(archive.job).toMatchObject({ name, workflowId: job.workflowId, kind: 'PyTorchJob' });
    expect(archive.job.status.phase).toBe(status.phase);
    expect(archive.job.submitted).toMatchObject({ who: { given: 'ana' }, why: `to be ${name}` });
    expect(withoutPrev(await archive.ledger())).toEqual(await job.history());
    const [run] = await allOf(archive.histories());
    const { events } = await on.temporal.workflow.getHandle(job.workflowId).fetchHistory();
    expect(run!.history.events).toHaveLength(events!.length);
    expect(archive.job.missing).toBeUndefined();
  });

  it('are in the signed log, and no other file is in the store', async () => {
    const home = join(on.directory, '..');
    const verified = await eventually('all are in the log', async () => {
      const env = { ...on.settings, XDG_STATE_HOME: home };
      const { code, stdout, stderr } = await signalbox(['audit', 'verify', '-o', 'json'], { env });
      if (code !== 0) throw new Error(`exit code ${code}: ${stdout}${stderr}`);
      return JSON.parse(stdout);
    });
    expect(verified).toMatchObject({ archives: jobs.length, newest: { size: jobs.length }, findings: [] });
  });
});

/** What a report says above the changes of each revision. */
const askersIn = (page: string): string[] =>
  [...parseHTML(page).document.querySelectorAll('section[aria-labelledby="manifest"] article')].map(
    (article) => ['h3', 'p'].map((tag) => article.querySelector(tag)?.textContent).join(' '),
  );

describe('the archive, through the command line,', () => {
  const run = (...args: string[]) => signalbox(args, { env: { ...on.settings, HOME: on.directory } });

  it('has the requester of each revision, although no size took effect before the next', async () => {
    const { job } = await archived('scaled');
    expect(job.revisions).toMatchObject([
      { number: 2, who: { given: 'ana' }, replicas: { Worker: 3 } },
      { number: 3, who: { given: 'cy' }, replicas: { Worker: 4 } },
    ]);
    const [served, kept] = await Promise.all(
      [[], ['--archived']].map((options) => run('report', 'scaled', '--out', '-', ...options)),
    );
    for (const { code, stdout } of [served!, kept!]) {
      expect(code).toBe(0);
      expect(askersIn(stdout)).toEqual([
        expect.stringMatching(/^Revision 2 .* ana /),
        expect.stringMatching(/^Revision 3 .* cy /),
      ]);
    }
  });

  it('can be written on request, and shows the state of the archiver', async () => {
    expect(await run('archive', 'completed', 'stopped', '--wait')).toMatchObject({
      code: 0,
      stdout: '0 archived, 2 in the archive before\n',
    });
    expect((await run('archive', '--since', '1h', '--wait', '-o', 'json')).stdout).toContain('"failed": []');
    const { stdout, code } = await run('archive', 'status');
    expect(code).toBe(0);
    expect(stdout).toContain('waiting      no job');
    expect((await run('get', 'completed')).stdout).toMatch(/archived +20/);
  });

  it('lists the jobs that are not archived yet, and why', async () => {
    const job = await on.client.submit(jobOf('living'));
    await untilPhase(job, 'Running');
    const { code, stderr } = await run('archive', 'living');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('is still running') });
    expect(await run('get', 'living', '--archived')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('living is not in the archive'),
    });
    await job.stop();
    await job.wait();
    await archived('living');
  });
});

describe('when Temporal has deleted its namespace', () => {
  const env = () => ({ ...on.settings, HOME: on.directory });
  const before = new Map<string, string>();
  const waited = new Map<string, object>();
  const whyOf = async (name: string, ...options: string[]): Promise<object> => {
    const { stdout } = await signalbox(['why', name, '-o', 'json', ...options], { env: env() });
    const { asOf, ...answer } = JSON.parse(stdout);
    return answer;
  };
  beforeAll(async () => {
    for (const name of Object.keys(FATES)) {
      const { stdout } = await signalbox(['history', name, '-o', 'jsonl'], { env: env() });
      before.set(name, stdout);
      waited.set(name, await whyOf(name));
    }
    await on.temporal.connection.operatorService.deleteNamespace({ namespace: on.temporalNamespace });
  });

  it.each(Object.keys(FATES))('a job is explained from its archive: %s', async (name) => {
    const history = await signalbox(['history', name, '--archived', '-o', 'jsonl'], { env: env() });
    expect(history.stdout).toBe(before.get(name));
    const got = await signalbox(['get', name, '--archived', '-o', 'json'], { env: env() });
    expect(JSON.parse(got.stdout)).toMatchObject({ name, submittedBy: 'ana', why: `to be ${name}` });
  });

  it.each(Object.keys(FATES))('what it had waited for is known, too: %s', async (name) => {
    expect(waited.get(name)).toMatchObject({ name, reasons: [], waited: expect.anything() });
    expect(await whyOf(name, '--archived')).toEqual(waited.get(name));
  });

  it('all jobs are listed, and the evidence of the failed one is there', async () => {
    const listed = await signalbox(['list', '--archived', '-o', 'name'], { env: env() });
    const ids = [...Object.keys(FATES), 'living'].map((name) => `job/${on.stage.namespace}/${name}`);
    expect(listed.stdout.trim().split('\n').sort()).toEqual(ids.sort());
    const { stdout } = await signalbox(['evidence', 'failed', '--archived', '-o', 'json'], { env: env() });
    const records = JSON.parse(stdout) as { summary: { exitCode: number } }[];
    expect(records.map(({ summary }) => summary.exitCode)).toEqual([1]);
  });
});
