import { Command } from 'commander';
import type { JobFilter } from '../../client/job-filter.ts';
import type { JobSummary } from '../../client/summary.ts';
import type { Phase } from '../../contracts/status.ts';
import { withExamples } from '../help-text.ts';
import { kindOf } from '../input/kind.ts';
import { wholeNumber } from '../input/parse.ts';
import { allNamespacesOption, kindOption, phaseOption } from '../job-selection.ts';
import { jobTable } from '../print/job-table.ts';
import { headingsOption, note, outputOption, print, type TableFormat, write } from '../print/output.ts';
import { type Session, withClient } from '../session.ts';
import { everyTwoSeconds, printTables } from '../watch.ts';

interface ListFlags {
  readonly phase?: Phase;
  readonly kind?: string;
  readonly allNamespaces?: boolean;
  readonly limit: number;
  readonly watch?: boolean;
  readonly headers: boolean;
  readonly output: TableFormat;
}

const EXAMPLES = [
  'list',
  'list -A --phase failed',
  'list -n ml --kind pytorchjob -o wide',
  'list --watch',
  'list -o name --no-headers',
];

export const listCommand = (): Command =>
  withExamples(new Command('list'), EXAMPLES)
    .description('list jobs: live ones first, then ended ones, each newest first')
    .addOption(allNamespacesOption())
    .addOption(phaseOption())
    .addOption(kindOption())
    .option('--limit <number>', 'show at most this many', wholeNumber, 100)
    .option('-w, --watch', 'show changes until interrupted')
    .addOption(headingsOption())
    .addOption(outputOption('name', 'wide'))
    .action(async (flags: ListFlags, command: Command) => {
      const kind = flags.kind === undefined ? undefined : await kindOf(flags.kind);
      await withClient(command, async (session) => {
        const filter = filterOf({ ...flags, kind }, session);
        return flags.watch ? watchJobs(session, filter, flags) : printJobs(session, filter, flags);
      });
    });

function filterOf({ phase, kind, allNamespaces, limit }: ListFlags, { settings }: Session) {
  const namespace = allNamespaces ? undefined : (settings.namespace ?? 'default');
  return { namespace, phase, kind, limit };
}

async function printJobs({ client }: Session, filter: Filter, flags: ListFlags): Promise<void> {
  const { limit } = filter;
  // One more, to know whether there are more.
  const jobs = await allOf(client.list({ ...filter, limit: limit + 1 }));
  const shown = jobs.slice(0, limit);
  const { output } = flags;
  if (output === 'name') for (const { workflowId } of shown) write(workflowId);
  else await print(shown, output === 'wide' ? undefined : output, () => jobsText(shown, filter, flags));
  if (jobs.length > limit) note(`There are more than ${limit} jobs; raise --limit to see them.`);
}

function watchJobs({ client }: Session, filter: Filter, flags: ListFlags): Promise<void> {
  const read = async () => {
    const jobs = await allOf(client.list(filter));
    return {
      rows: jobs.map((job) => ({ key: `${job.workflowId} ${job.runId}`, name: job.workflowId, data: job })),
      text: () => jobsText(jobs, filter, flags),
      hasHeadings: flags.headers && jobs.length > 0,
    };
  };
  return printTables(everyTwoSeconds(read), flags.output);
}

async function allOf(jobs: AsyncIterable<JobSummary>): Promise<JobSummary[]> {
  const found: JobSummary[] = [];
  for await (const job of jobs) found.push(job);
  return found;
}

type Filter = JobFilter & { readonly limit: number };

async function jobsText(jobs: readonly JobSummary[], filter: Filter, flags: ListFlags): Promise<string> {
  if (jobs.length === 0) return `${noneOf(filter)}.`;
  return jobTable(jobs, { isWide: flags.output === 'wide', hasHeadings: flags.headers });
}

/** Names all filters, as other jobs may exist. */
const noneOf = ({ phase, kind, namespace }: JobFilter) =>
  ['No jobs', kind && `of kind ${kind}`, namespace && `in namespace ${namespace}`, phase && `are ${phase}`]
    .filter(Boolean)
    .join(' ');
