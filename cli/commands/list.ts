import { Command } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import { type ExactFilter, filterInWords } from '../../contracts/filters.ts';
import { allOf } from '../../language/all-of.ts';
import { type ArchivedFlags, archivedOptions } from '../archived/archived.ts';
import { withArchive } from '../archived/archived-job.ts';
import { filterOptions, filtersGiven } from '../input/filter-options.ts';
import { wholeNumber } from '../input/parse.ts';
import { allNamespacesOption } from '../jobs/job-selection.ts';
import { everyTwoSeconds, printTables } from '../jobs/watch.ts';
import { jobTable } from '../print/job-table.ts';
import { printListed } from '../print/listed.ts';
import { headingsOption, outputOption, type TableFormat } from '../print/output.ts';
import { type Session, settingsOf, withClient } from '../session/session.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface ListFlags extends ArchivedFlags {
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
  'list --phase failed --reason NodeLost --since 7d',
  'list -l team=nlp --submitted-by ana@laptop --since 2026-11-01 --until 2026-12-01',
  'list -o name --no-headers',
  'list --archived --phase failed',
];

export const listCommand = (): Command =>
  filterOptions(
    withExamples(archivedOptions(new Command('list')), EXAMPLES)
      .description('list jobs: live ones first, then ended ones, each newest first')
      .addOption(allNamespacesOption()),
  )
    .option('--limit <number>', 'show at most this many', wholeNumber, 100)
    .option('-w, --watch', 'show changes until interrupted')
    .addOption(headingsOption())
    .addOption(outputOption('name', 'wide'))
    .action(async (flags: ListFlags, command: Command) => {
      const chosen = await filtersGiven(command);
      if (flags.archived) return printArchived(chosen, flags, await settingsOf(command));
      await withClient(command, async (session) => {
        const filter = filterIn(session.settings, flags, chosen);
        return flags.watch ? watchJobs(session, filter, flags) : printJobs(session, filter, flags);
      });
    });

type Filter = ExactFilter & { readonly limit: number };

function filterIn(settings: Settings, { allNamespaces, limit }: ListFlags, chosen: ExactFilter): Filter {
  return { namespace: allNamespaces ? undefined : (settings.namespace ?? 'default'), ...chosen, limit };
}

/** Asks no server. */
async function printArchived(chosen: ExactFilter, flags: ListFlags, settings: Settings): Promise<void> {
  if (flags.watch) throw new UsageError('--watch: archived jobs do not change.');
  const filter = filterIn(settings, flags, chosen);
  const { archivedJobs } = await import('../print/archived-jobs.ts');
  const jobs = await withArchive(settings, (archive) =>
    archivedJobs(archive, { ...filter, limit: filter.limit + 1 }),
  );
  await printList(jobs, filter, flags);
}

async function printJobs({ client }: Session, filter: Filter, flags: ListFlags): Promise<void> {
  // One more, to know whether there are more.
  const jobs = await allOf(client.list({ ...filter, limit: filter.limit + 1 }));
  const isShown = flags.output === 'wide';
  await printList(jobs, filter, {
    ...flags,
    signs: isShown ? (shown) => client.logSigns(shown) : undefined,
  });
}

/** What logs tell is asked once: --watch would ask again and again. */
interface ListView extends ListFlags {
  readonly signs?: SignalboxClient['logSigns'];
}

async function printList(jobs: readonly JobSummary[], filter: Filter, flags: ListView): Promise<void> {
  await printListed(jobs, {
    ...{ output: flags.output, limit: filter.limit, what: 'jobs' },
    nameOf: ({ workflowId }) => workflowId,
    text: (shown) => jobsText(shown, filter, flags),
  });
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

async function jobsText(
  jobs: readonly JobSummary[],
  { limit, ...filter }: Filter,
  flags: ListView,
): Promise<string> {
  // Names all filters, as other jobs may exist.
  if (jobs.length === 0) return `${['No jobs', filterInWords(filter)].filter(Boolean).join(' ')}.`;
  const signs = await flags.signs?.(jobs);
  return jobTable(jobs, { isWide: flags.output === 'wide', hasHeadings: flags.headers, signs });
}
