import type { Prices } from '../../../contracts/schemas/prices.ts';
import { keysOf } from '../../../language/fields.ts';
import type { JobFigures } from '../../index/job-figures.ts';
import { groupedUses } from '../../uses/grouped-uses.ts';
import type { DeviceUse } from '../../uses/job-uses.ts';
import { PAID_FOR, paidForOf } from '../../uses/paid-for.ts';
import { costDataOf, pricedSumsOf } from '../../uses/priced-sums.ts';
import { sumsByResource } from '../../uses/use-sums.ts';
import type { PeriodReport } from './period-report.ts';

interface PeriodSource
  extends Pick<PeriodReport, 'namespace' | 'since' | 'until' | 'asOf' | 'readFrom' | 'missing'> {
  /** Those that there were in these days, with the uses of these days. */
  readonly jobs: readonly JobFigures[];
  readonly prices: Prices | undefined;
}

/** Rows of a table that fits a page. */
const MOST = 10;

/** Returns the figures of a report. Each is a sum over jobs; no mean of ratios is among them. */
export function periodReportOf({ jobs, prices, ...about }: PeriodSource): PeriodReport {
  const isIn = within(about);
  const ended = jobs.filter(({ ended: at }) => at !== null && isIn(at));
  const failed = ended.filter(({ phase }) => phase === 'Failed');
  const holding = jobs.filter(({ uses }) => uses.length > 0);
  return {
    ...about,
    jobs: countsOf(ended, jobs),
    resources: paidSumsOf(
      holding.flatMap(({ uses }) => uses),
      prices,
    ),
    users: groupedUses(holding, ['user'], prices).slice(0, MOST),
    reasons: reasonsOf(failed),
    restarts: restartsOf(jobs, isIn),
    nodes: nodesOf(jobs, failed, isIn),
    starts: startsOf(jobs, isIn),
    largest: largestOf(holding, prices),
  };
}

type IsIn = (at: number) => boolean;

function within({ since, until }: Pick<PeriodReport, 'since' | 'until'>): IsIn {
  const from = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
  const to = until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
  return (at) => at >= from && at < to;
}

function countsOf(ended: readonly JobFigures[], jobs: readonly JobFigures[]): PeriodReport['jobs'] {
  const of = (wanted: string) => ended.filter(({ phase }) => phase === wanted).length;
  const [completed, failed] = [of('Completed'), of('Failed')];
  const decided = completed + failed;
  return {
    ...{ completed, failed, stopped: of('Stopped') },
    live: jobs.filter((job) => job.ended === null).length,
    successRate: decided > 0 ? completed / decided : null,
  };
}

const ORDER = keysOf(PAID_FOR);

function paidSumsOf(uses: readonly DeviceUse[], prices: Prices | undefined): PeriodReport['resources'] {
  const cost = (some: readonly DeviceUse[]) => (prices ? { cost: costDataOf(some, prices) } : {});
  const byResource = Map.groupBy(uses, ({ resource }) => resource);
  return sumsByResource(uses).map(({ resource, ms, assumedMs, goodput }) => {
    const own = byResource.get(resource) ?? [];
    const parts = [...Map.groupBy(own, keyOfPaid).values()].map((alike) => {
      const first = alike[0]!;
      const because = first.cause === undefined ? {} : { cause: first.cause };
      return { what: paidForOf(first), ...because, ms: msOf(alike), ...cost(alike) };
    });
    const paidFor = parts.sort((a, b) => ORDER.indexOf(a.what) - ORDER.indexOf(b.what) || b.ms - a.ms);
    return { resource, ms, assumedMs, goodput, ...cost(own), paidFor };
  });
}

const keyOfPaid = (use: DeviceUse) => JSON.stringify([paidForOf(use), use.cause ?? null]);
const msOf = (uses: readonly DeviceUse[]) => uses.reduce((sum, { ms }) => sum + ms, 0);

/** Groups, the largest first, and those of equal size by name. */
function counted<T>(
  items: readonly T[],
  keyOf: (item: T) => string | null,
): readonly (readonly [key: string | null, items: readonly T[]])[] {
  const byName = (a: string | null, b: string | null) => ((a ?? '') < (b ?? '') ? -1 : 1);
  return [...Map.groupBy(items, keyOf)].sort(
    ([a, one], [b, other]) => other.length - one.length || byName(a, b),
  );
}

const reasonsOf = (failed: readonly JobFigures[]): PeriodReport['reasons'] =>
  counted(failed, ({ reason }) => reason)
    .slice(0, MOST)
    .map(([reason, jobs]) => ({ reason, jobs: jobs.length }));

const restartsIn = (jobs: readonly JobFigures[], isIn: IsIn) =>
  jobs.flatMap((job) => job.restarts.filter(({ at }) => isIn(at)).map((restart) => ({ job, restart })));

const restartsOf = (jobs: readonly JobFigures[], isIn: IsIn): PeriodReport['restarts'] =>
  counted(restartsIn(jobs, isIn), ({ restart }) => restart.cause).map(([cause, alike]) => {
    const times = alike
      .flatMap(({ restart: { at, ranAt } }) => (ranAt === undefined ? [] : [ranAt - at]))
      .sort((a, b) => a - b);
    return {
      ...{ cause: cause ?? 'other', restarts: alike.length },
      jobs: new Set(alike.map(({ job }) => job)).size,
      medianMs: times[Math.floor((times.length - 1) / 2)] ?? null,
      longestMs: times.at(-1) ?? null,
    };
  });

function nodesOf(
  jobs: readonly JobFigures[],
  failed: readonly JobFigures[],
  isIn: IsIn,
): PeriodReport['nodes'] {
  const restarted = restartsIn(jobs, isIn).flatMap(({ job, restart: { node, cause } }) =>
    node === undefined ? [] : [{ node, job, what: cause, isEnd: false }],
  );
  const ends = failed.flatMap((job) =>
    job.node === null ? [] : [{ node: job.node, job, what: job.reason ?? 'Failed', isEnd: true }],
  );
  return counted([...restarted, ...ends], ({ node }) => node)
    .slice(0, MOST)
    .map(([node, faults]) => ({
      node: node ?? '',
      restarts: faults.filter(({ isEnd }) => !isEnd).length,
      failedJobs: faults.filter(({ isEnd }) => isEnd).length,
      jobs: new Set(faults.map(({ job }) => job)).size,
      causes: [...new Set(faults.map(({ what }) => what))].sort(),
    }));
}

const identityOf = (job: JobFigures) => {
  const { namespace, name, workflowId, firstRunId, phase, user, isArchived } = job;
  return { namespace, name, workflowId, firstRunId, phase, user, isArchived };
};

/** Those that began to run in these days, and those that have not run at all. */
const startsOf = (jobs: readonly JobFigures[], isIn: IsIn): PeriodReport['starts'] =>
  jobs
    .filter(({ started, waitMs }) => waitMs > 0 && (started === null || isIn(started)))
    .sort((a, b) => b.waitMs - a.waitMs)
    .slice(0, MOST)
    .map((job) => ({
      ...identityOf(job),
      submitted: new Date(job.submitted).toISOString(),
      ...{ waitMs: job.waitMs, hasRun: job.started !== null, waitedFor: job.longestWaitFor },
    }));

/** By the first of their resources. */
const largestOf = (jobs: readonly JobFigures[], prices: Prices | undefined): PeriodReport['largest'] =>
  jobs
    .flatMap((job) => {
      const [sums] = pricedSumsOf(job.uses, prices);
      if (!sums) return [];
      const { resource, ms, goodput, cost } = sums;
      const restarts = job.restarts.length;
      return [{ ...identityOf(job), resource, ms, goodput, restarts, ...(cost ? { cost } : {}) }];
    })
    .sort((a, b) => b.ms - a.ms)
    .slice(0, MOST);
