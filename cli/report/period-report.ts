import type { Command } from 'commander';
import type { ArchiveReader } from '../../client/handles/archive-reader.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { ReportData } from '../../record/report/report-data.ts';
import { askOfManyJobs } from '../cost/of-many-jobs.ts';
import type { GivenPrices } from '../input/read-prices.ts';
import { printData } from '../print/output.ts';
import { UsageError } from '../shell/errors.ts';
import { writeReport } from './write-report.ts';

interface PeriodFlags {
  readonly archived?: boolean | undefined;
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  readonly out: string | undefined;
  readonly withJobs: boolean | undefined;
}

interface Asking {
  readonly command: Command;
  readonly given: GivenPrices | undefined;
}

/** Writes the page of a namespace, or prints its figures; with the reports of the jobs that it names, if they are wanted. */
export async function writePeriodReport(
  { out, withJobs, ...choice }: PeriodFlags,
  { command, given }: Asking,
): Promise<void> {
  if (withJobs && (out === 'json' || out === '-'))
    throw new UsageError(`--with-jobs writes files beside the page. Expected a file for it, got -o ${out}.`);
  const asked = { ...choice, prices: given?.document };
  const { report, jobs } = await askOfManyJobs(command, asked, async (sources, options) => {
    const found = await sources.report(options);
    const { readJobReports } = await import('./job-reports.ts');
    const reports = withJobs ? await readJobReports(found, sourcesOf(sources, options.archive)) : undefined;
    return { report: found, jobs: reports };
  });
  if (out === 'json') return printData(report, 'json');
  const page = out ?? `report-${report.namespace ?? 'all'}.html`;
  const { renderPeriod } = await import('./render-report.ts');
  await writeReport(renderPeriod(report, jobs && (await linksTo(jobs, page, given))), page);
}

const sourcesOf = (asked: object, archive: ArchiveReader | undefined) =>
  'submit' in asked ? { client: asked as SignalboxClient, archive } : { archive: asked as ArchiveReader };

async function linksTo(
  jobs: ReadonlyMap<string, ReportData>,
  page: string,
  given: GivenPrices | undefined,
): Promise<ReadonlyMap<string, string>> {
  const { writeJobReports } = await import('./job-reports.ts');
  const priced = [...jobs].map(([run, data]) => [run, { ...data, prices: given?.prices }] as const);
  return writeJobReports(new Map(given ? priced : jobs), page);
}
