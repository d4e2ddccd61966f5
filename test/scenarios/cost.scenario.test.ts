import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ArchiveReader } from '../../client/handles/archive-reader.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { DEFAULT_TASK_QUEUE } from '../../contracts/messages.ts';
import { RPC, type RpcAnswer } from '../../contracts/rpc.ts';
import type { PeriodReport } from '../../record/report/period/period-report.ts';
import type { UseGroup } from '../../record/uses/grouped-uses.ts';
import type { JobCost } from '../../record/uses/job-cost.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { untilAttempt } from './attempts.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { untilPhase } from './stage.ts';

/** What jobs held and what that cost, while they run, when they have ended, and when only the archive has them. */

const PRICES = {
  currency: 'EUR',
  prices: [{ resource: 'pods', perHour: '3.6', from: '2020-01-01' }],
};
const LABELS = { team: 'vision' };

let on: ArchiveStage;
beforeAll(async () => {
  on = await openArchiveStage();
  await on.engine().start(on.settings);
});
afterAll(() => on?.close());

const submit = (name: string): Promise<JobHandle> => {
  const { metadata, ...manifest } = simulatedJob({ name, namespace: on.stage.namespace });
  const restart = { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } };
  return on.client.submit(
    withPolicy({ ...manifest, metadata: { ...metadata, labels: LABELS } }, { restart }),
  );
};

/** As a client in another language asks. */
const ask = async <T>(method: string, given: object): Promise<T> => {
  const answer = await on.temporal.workflow.execute<(request: object) => Promise<RpcAnswer>>(RPC, {
    args: [{ method, arguments: given }],
    taskQueue: DEFAULT_TASK_QUEUE,
    workflowId: `rpc/${method}/${randomUUID()}`,
    workflowExecutionTimeout: '60s',
  });
  return answer.result as T;
};

const onCommandLine = async (...args: readonly string[]): Promise<unknown> => {
  const prices = join(on.directory, '..', 'prices.json');
  writeFileSync(prices, JSON.stringify(PRICES));
  const given = [...args, '--prices', prices, '-n', on.stage.namespace, '-o', 'json'];
  return JSON.parse((await signalbox(given, { env: on.settings })).stdout);
};

const sumOf = ({ uses }: Pick<JobCost, 'uses'>) => uses.reduce((sum, { ms }) => sum + ms, 0);

describe('the cost of a job that runs', () => {
  it('adds up, grows, keeps what is past, and names the cause of its restart', async () => {
    const job = await submit('live');
    await untilPhase(job, 'Running');
    const before = await job.cost({ prices: PRICES });
    expect(before).toMatchObject({ phase: 'Running', restarts: [] });
    expect(sumOf(before)).toBe(before.resources[0]!.ms);
    await on.stage.endPod('live-worker-0', { exitCode: 1 });
    await untilAttempt(job, 2);
    await untilPhase(job, 'Running');
    const after = await job.cost({ prices: PRICES });
    expect(after.restarts).toMatchObject([{ attempt: 1, cause: 'userCode', ranAt: expect.any(Number) }]);
    expect(sumOf(after)).toBe(after.resources[0]!.ms);
    expect(sumOf(after)).toBeGreaterThan(sumOf(before));
    const starting = ({ uses }: JobCost) =>
      uses.filter(({ use, attempt }) => attempt === 1 && ['gang', 'starting'].includes(use));
    expect(starting(after)).toEqual(starting(before));
    // Another answer of another moment: only what goes on has become more.
    const answered = await ask<JobCost>('cost', { job: { workflowId: job.workflowId }, prices: PRICES });
    expect(answered.restarts).toEqual(after.restarts);
    expect(sumOf(answered)).toBeGreaterThanOrEqual(sumOf(after));
    const [group] = await on.client.cost({ by: ['job'], namespace: on.stage.namespace });
    expect(group!.resources[0]!.ms).toBeGreaterThanOrEqual(sumOf(after));
    await job.stop({});
    await job.wait();
  });
});

describe('the cost of a job that has ended', () => {
  it('is the same from Temporal, from the archive, by the engine and on the command line', async () => {
    const job = await submit('ended');
    await untilPhase(job, 'Running');
    await on.stage.endPod('ended-master-0', { exitCode: 0 });
    await job.wait();
    const live = await eventually('Temporal has closed it', async () => {
      const { endTime } = await job.summary();
      return endTime === undefined ? undefined : job.cost({ prices: PRICES });
    });
    expect(await ask('cost', { job: { workflowId: job.workflowId }, prices: PRICES })).toEqual(live);
    expect(await onCommandLine('cost', 'ended')).toEqual(live);
    const archive = new ArchiveReader(on.archive, {});
    const archived = await eventually('it is archived', () =>
      archive.find({ workflowId: job.workflowId }).catch(() => undefined),
    );
    const { firstRunId, workflowId } = archived;
    expect(await archived.cost({ prices: PRICES })).toEqual(live);
    expect(await ask('archive.cost', { workflowId, firstRunId, prices: PRICES })).toEqual(live);
    expect(await onCommandLine('cost', 'ended', '--archived')).toEqual(live);
    await sumsAgree(archive, live);
  });
});

/** Sums over many jobs, of which two have ended and nothing grows any more. */
async function sumsAgree(archive: ArchiveReader, live: JobCost): Promise<void> {
  const { namespace } = on.stage;
  const archivedJobs = async () => {
    const names: string[] = [];
    for await (const { name } of archive.list({ namespace })) names.push(name);
    return names.length === 2;
  };
  await eventually('both are archived', archivedJobs);
  const options = { namespace, prices: PRICES };
  const groups = await archive.cost({ ...options, by: ['team', 'job'] });
  const own = groups.find(({ by }) => by.job === `${namespace}/ended`);
  expect(own).toEqual({
    by: { team: 'vision', job: `${namespace}/ended` },
    ...{ jobs: 1, resources: live.resources },
  });
  expect(await on.client.cost({ ...options, by: ['team', 'job'], archive })).toEqual(groups);
  expect(await ask<UseGroup[]>('costBy', { ...options, by: ['team', 'job'] })).toEqual(groups);
  expect(await onCommandLine('cost', '--by', 'team,job')).toEqual(groups);
  const withoutPlace = ({ asOf: _, readFrom: __, ...report }: PeriodReport) => report;
  const since = new Date('2020-01-01');
  const report = withoutPlace(await archive.report({ ...options, since }));
  expect(report.jobs).toMatchObject({ completed: 1, stopped: 1, live: 0 });
  expect(report.resources[0]!.ms).toBe(groups.reduce((sum, { resources }) => sum + resources[0]!.ms, 0));
  expect(withoutPlace(await on.client.report({ ...options, since, archive }))).toEqual(report);
  expect(withoutPlace(await ask('report', { ...options, since: since.toISOString() }))).toEqual(report);
  const printed = (await onCommandLine('report', '--since', '2020-01-01')) as PeriodReport;
  expect(withoutPlace(printed)).toEqual(report);
}
