import { Command, Option } from 'commander';
import type { JobFilter } from '../../client/list.ts';
import type { JobSummary } from '../../client/summary.ts';
import { workflowIdOf } from '../../contracts/labels.ts';
import { PHASES, type Phase } from '../../contracts/status.ts';
import { UsageError } from '../errors.ts';
import { namespaceOption } from '../input/job-options.ts';
import { oneOf, wholeNumber } from '../input/parse.ts';
import { between, withoutMilliseconds } from '../print/durations.ts';
import { type Format, note, outputOption, painted, print } from '../print/output.ts';
import { formatTable } from '../print/table.ts';
import { withClient } from '../session.ts';

interface ListFlags {
  readonly phase?: Phase;
  readonly kind?: string;
  readonly allNamespaces?: boolean;
  readonly limit: number;
  readonly output: Format;
}

export const listCommand = (): Command =>
  new Command('list')
    .description('list jobs: live ones first, then ended ones, each newest first')
    .addOption(namespaceOption())
    .option('-A, --all-namespaces', 'jobs of all namespaces')
    .addOption(
      // The choices are for shell completion; the parser accepts any letter case.
      new Option('--phase <phase>', `only jobs in this phase: ${PHASES.join(', ')}`)
        .choices(PHASES)
        .argParser(oneOf(PHASES)),
    )
    .option('--kind <kind>', 'only jobs of this kind, e.g. PyTorchJob')
    .option('--limit <number>', 'show at most this many', wholeNumber, 100)
    .addOption(outputOption())
    .action(async ({ phase, allNamespaces, limit, output, ...flags }: ListFlags, command: Command) => {
      const kind = flags.kind === undefined ? undefined : await kindOf(flags.kind);
      await withClient(command, async ({ client, settings }) => {
        const namespace = allNamespaces ? undefined : (settings.namespace ?? 'default');
        const jobs: JobSummary[] = [];
        for await (const job of client.list({ namespace, phase, kind, limit: limit + 1 })) jobs.push(job);
        const shown = jobs.slice(0, limit);
        await print(shown, output, () => jobsText(shown, noneOf({ phase, kind, namespace })));
        if (jobs.length > limit) note(`There are more than ${limit} jobs; raise --limit to see them.`);
      });
    });

/** Accepts any letter case; loads the kinds only when needed. */
async function kindOf(text: string): Promise<string> {
  const { JOB_KINDS } = await import('../../client/kinds.ts');
  const kind = JOB_KINDS.find((one) => one.toLowerCase() === text.toLowerCase());
  if (kind === undefined)
    throw new UsageError(`--kind: expected one of ${JOB_KINDS.join(', ')}, got ${text}.`);
  return kind;
}

/** Names all filters, as other jobs may exist. */
const noneOf = ({ phase, kind, namespace }: JobFilter) =>
  ['No jobs', kind && `of kind ${kind}`, namespace && `in namespace ${namespace}`, phase && `are ${phase}`]
    .filter(Boolean)
    .join(' ');

async function jobsText(jobs: readonly JobSummary[], none: string): Promise<string> {
  if (jobs.length === 0) return `${none}.`;
  const hasOwnIds = jobs.some((job) => job.workflowId !== workflowIdOf(job));
  const rows = jobs.map((job) => [
    job.namespace,
    job.name,
    job.kind,
    painted(job.phase),
    job.reason ?? '',
    String(job.attempt),
    withoutMilliseconds(job.startTime),
    between(job.startTime, job.endTime),
    ...(hasOwnIds ? [job.workflowId] : []),
  ]);
  return formatTable([...HEADINGS, ...(hasOwnIds ? ['WORKFLOW ID'] : [])], rows);
}

/** The duration starts at submission. The visibility store does not know the start of the pods; `get` shows that. */
const HEADINGS = ['NAMESPACE', 'NAME', 'KIND', 'PHASE', 'REASON', 'ATTEMPT', 'SUBMITTED', 'IN ALL'];
