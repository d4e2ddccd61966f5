import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ArchiveReader } from '../../client/handles/archive-reader.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import { archivedReport } from '../../client/use-cases/report/archived-report.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { PeriodReport } from '../../record/report/period/period-report.ts';
import type { ReportData } from '../../record/report/report-data.ts';
import { warn } from '../session/job-sources.ts';
import { writeReport } from './write-report.ts';

type ListedJob = PeriodReport['starts'][number] | PeriodReport['largest'][number];

/** Where reports of jobs are read from. */
export interface ReportSources {
  readonly client?: SignalboxClient;
  readonly archive: ArchiveReader | undefined;
}

/** Reads the reports of the jobs that a page names. One that cannot be read is left out, and said. */
export async function readJobReports(
  { largest, starts }: PeriodReport,
  sources: ReportSources,
): Promise<ReadonlyMap<string, ReportData>> {
  const named = new Map([...largest, ...starts].map((job) => [job.firstRunId, job]));
  const found = new Map<string, ReportData>();
  for (const [firstRunId, job] of named) {
    try {
      found.set(firstRunId, await readReport(job, sources));
    } catch (error) {
      warn(`there is no report of ${job.namespace}/${job.name}: ${errorMessage(error)}`);
    }
  }
  return found;
}

async function readReport(
  { workflowId, firstRunId, isArchived }: ListedJob,
  { client, archive }: ReportSources,
): Promise<ReportData> {
  const archived = isArchived && (await archive?.recorded.find({ workflowId, runId: firstRunId }));
  if (archived) return archivedReport(archived);
  if (client) return client.job({ workflowId, runId: firstRunId }).report();
  throw new Error('it is not archived');
}

/** Writes them into a folder beside the page. Returns the files, relative to the page, by the first run of each job. */
export async function writeJobReports(
  reports: ReadonlyMap<string, ReportData>,
  page: string,
): Promise<ReadonlyMap<string, string>> {
  const folder = `${page.replace(/\.html?$/, '')}-jobs`;
  const { renderReport } = await import('./render-report.ts');
  await mkdir(folder, { recursive: true });
  const files = new Map<string, string>();
  for (const [firstRunId, data] of reports) {
    // Any name can stand in Temporal: none leads out of the folder.
    const file = `${data.status.name.replaceAll(/[^\w.-]/g, '_')}-${firstRunId.slice(0, 8)}.html`;
    await writeReport(renderReport(data), join(folder, file));
    files.set(firstRunId, `${encodeURIComponent(basename(folder))}/${encodeURIComponent(file)}`);
  }
  return files;
}
