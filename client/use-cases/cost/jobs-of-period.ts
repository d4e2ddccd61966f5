import type { Archive } from '../../../record/archive/archive-reader.ts';
import {
  FIGURE_COLUMNS,
  type FigureRow,
  type JobFigures,
  jobFiguresOf,
} from '../../../record/index/job-figures.ts';
import { archivedJobRows } from '../../../record/index/job-rows.ts';
import { RefusedError } from '../../errors/errors.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { translatedErrors } from '../archive/archive-client-errors.ts';
import type { PeriodOptions } from './cost-options.ts';
import { unarchivedRows } from './unarchived-rows.ts';

/** What knows of jobs: the archive, Temporal, or both. */
export interface RecordSources {
  readonly archive?: Pick<Archive, 'store'> | undefined;
  readonly ports?: ClientPorts;
  /** Only archived jobs of this Temporal namespace: installations may share a store. */
  readonly temporalNamespace?: string;
}

/** Days in UTC, e.g. 2026-11-23: prices and uses have no smaller part. */
export interface Days {
  readonly first?: string;
  /** The first one that is not asked about. */
  readonly end?: string;
}

/** Throws `RefusedError` if there is none between them. */
export function daysIn({ since, until }: Pick<PeriodOptions, 'since' | 'until'>): Days {
  const [first, end] = [since && dayOf(since), until && dayOf(until)];
  if (first !== undefined && end !== undefined && end <= first)
    throw new RefusedError(`until: expected a day after ${first}, the first one, got ${end}.`, {
      remedy: '`since` is the first day, and `until` the day after the last one, in UTC.',
    });
  return { ...(first === undefined ? {} : { first }), ...(end === undefined ? {} : { end }) };
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** Returns the jobs that there were on these days, once each, archived and live, with what they used then. */
export async function jobsOfPeriod(
  { archive, ports, temporalNamespace }: RecordSources,
  { namespace, onWarning: warn = () => undefined, ...period }: PeriodOptions,
): Promise<readonly JobFigures[]> {
  const days = daysIn(period);
  const jobs: JobFigures[] = [];
  const runs = new Set<string>();
  const add = (row: FigureRow) => {
    if ((namespace !== undefined && row.namespace !== namespace) || !isWithin(row, days)) return;
    jobs.push(onDays(jobFiguresOf(row), days));
  };
  await translatedErrors(async () => {
    if (!archive) return;
    for await (const row of archivedJobRows(archive.store, { columns: FIGURE_COLUMNS, warn })) {
      if (row.run_id === null || isForeign(row, temporalNamespace)) continue;
      runs.add(row.run_id);
      add(row);
    }
  });
  if (ports) {
    const archived = async () => runs;
    const since = days.first === undefined ? undefined : new Date(days.first);
    const rows = await unarchivedRows(ports, { filter: { namespace, since }, archived, warn });
    for (const { jobs: live } of rows) for (const row of live) add(row);
  }
  return jobs;
}

const isForeign = (row: FigureRow, own: string | undefined): boolean =>
  own !== undefined && row.temporal_namespace !== own;

const isWithin = ({ submitted, ended }: FigureRow, { first, end }: Days): boolean =>
  (first === undefined || ended === null || ended >= new Date(first)) &&
  (end === undefined || (submitted !== null && submitted < new Date(end)));

const onDays = (job: JobFigures, { first, end }: Days): JobFigures => ({
  ...job,
  uses: job.uses.filter(
    ({ day }) => (first === undefined || day >= first) && (end === undefined || day < end),
  ),
});
