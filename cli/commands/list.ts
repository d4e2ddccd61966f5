import { Command, Option } from 'commander';
import type { JobSummary } from '../../client/servers/summary.ts';
import type { JobFilter } from '../../client/use-cases/find/job-filter.ts';
import { REASON_CODES, type ReasonCode } from '../../contracts/reasons.ts';
import type { Phase } from '../../contracts/status.ts';
import { allOf } from '../../language/all-of.ts';
import { type ArchivedFlags, archivedOptions } from '../archived/archived.ts';
import { withArchive } from '../archived/archived-job.ts';
import { kindOf } from '../input/kind.ts';
import type { Labels } from '../input/labels.ts';
import { momentOf, oneOf, wholeNumber } from '../input/parse.ts';
import { allNamespacesOption, kindOption, phaseOption, selectorOption } from '../jobs/job-selection.ts';
import { everyTwoSeconds, printTables } from '../jobs/watch.ts';
import { jobTable } from '../print/job-table.ts';
import { printListed } from '../print/listed.ts';
import { headingsOption, outputOption, type TableFormat } from '../print/output.ts';
import { type Session, settingsOf, withClient } from '../session/session.ts';
import { completedBy } from '../shell/completed-by.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

interface ListFlags extends ArchivedFlags {
  readonly reason?: ReasonCode;
  readonly submittedBy?: string;
  readonly selector?: Labels;
  readonly since?: Date;
  readonly until?: Date;
  readonly phase?: readonly Phase[];
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
  'list --phase failed --reason NodeLost --since 7d',
  'list -l team=nlp --submitted-by ana@laptop --since 2026-11-01 --until 2026-12-01',
  'list -o name --no-headers',
  'list --archived --phase failed',
];

export const listCommand = (): Command =>
  withExamples(archivedOptions(new Command('list')), EXAMPLES)
    .description('list jobs: live ones first, then ended ones, each newest first')
    .addOption(allNamespacesOption())
    .addOption(phaseOption())
    .addOption(kindOption())
    .addOption(selectorOption())
    .addOption(reasonOption())
    .option('--submitted-by <user>', 'only jobs that this user submitted, e.g. ana@laptop')
    .option('--since <time>', 'submitted then or later: RFC 3339, a day, or a duration ago like 2h', momentOf)
    .option('--until <time>', 'submitted before then', momentOf)
    .option('--limit <number>', 'show at most this many', wholeNumber, 100)
    .option('-w, --watch', 'show changes until interrupted')
    .addOption(headingsOption())
    .addOption(outputOption('name', 'wide'))
    .action(async (flags: ListFlags, command: Command) => {
      const kind = flags.kind === undefined ? undefined : await kindOf(flags.kind);
      if (flags.archived) return printArchived({ ...flags, kind }, command);
      await withClient(command, async (session) => {
        const filter = filterOf({ ...flags, kind }, session);
        return flags.watch ? watchJobs(session, filter, flags) : printJobs(session, filter, flags);
      });
    });

function filterOf(flags: ListFlags, { settings }: Pick<Session, 'settings'>): Filter {
  const { phase, kind, reason, submittedBy, selector: labels, since, until, limit } = flags;
  const namespace = flags.allNamespaces ? undefined : (settings.namespace ?? 'default');
  return { namespace, phase, kind, reason, submittedBy, labels, since, until, limit };
}

const reasonOption = () =>
  completedBy(
    'reasons',
    new Option('--reason <code>', 'only jobs for this reason, e.g. NodeLost (docs/states.md)'),
  ).argParser(oneOf(REASON_CODES));

/** Asks no server. */
async function printArchived(flags: ListFlags, command: Command): Promise<void> {
  if (flags.watch) throw new UsageError('--watch: archived jobs do not change.');
  const settings = await settingsOf(command);
  const filter = filterOf(flags, { settings });
  const { archivedJobs } = await import('../print/archived-jobs.ts');
  const jobs = await withArchive(settings, (archive) =>
    archivedJobs(archive, { ...filter, limit: filter.limit + 1 }),
  );
  await printList(jobs, filter, flags);
}

async function printJobs({ client }: Session, filter: Filter, flags: ListFlags): Promise<void> {
  // One more, to know whether there are more.
  await printList(await allOf(client.list({ ...filter, limit: filter.limit + 1 })), filter, flags);
}

async function printList(jobs: readonly JobSummary[], filter: Filter, flags: ListFlags): Promise<void> {
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

type Filter = JobFilter & { readonly limit: number; readonly since?: Date; readonly until?: Date };

async function jobsText(jobs: readonly JobSummary[], filter: Filter, flags: ListFlags): Promise<string> {
  if (jobs.length === 0) return `${noneOf(filter)}.`;
  return jobTable(jobs, { isWide: flags.output === 'wide', hasHeadings: flags.headers });
}

/** Names all filters, as other jobs may exist. */
function noneOf({ phase, kind, namespace, reason, submittedBy, labels, since, until }: Filter): string {
  return [
    ...['No jobs', kind && `of kind ${kind}`, namespace && `in namespace ${namespace}`],
    submittedBy && `submitted by ${submittedBy}`,
    since && `submitted since ${since.toISOString()}`,
    until && `submitted before ${until.toISOString()}`,
    labels &&
      `with ${Object.entries(labels)
        .map((label) => label.join('='))
        .join(', ')}`,
    ...[phase && `are ${[phase].flat().join(' or ')}`, reason && `for the reason ${reason}`],
  ]
    .filter(Boolean)
    .join(' ');
}
