import { Command, Option } from 'commander';
import type { JobSummary } from '../../client/summary.ts';
import { PHASES, type Phase } from '../../contracts/status.ts';
import { withClient } from '../context.ts';
import { between } from '../durations.ts';
import { namespaceOption } from '../job-options.ts';
import { type Format, note, outputOption, painted, print } from '../output.ts';
import { wholeNumber } from '../parse.ts';
import { table } from '../table.ts';

interface ListFlags {
  readonly phase?: Phase;
  readonly kind?: string;
  readonly allNamespaces?: boolean;
  readonly limit: number;
  readonly output: Format;
}

export const listCommand = (): Command =>
  new Command('list')
    .description('list jobs, live ones first, the newest of each first')
    .addOption(namespaceOption())
    .option('-A, --all-namespaces', 'jobs of all namespaces')
    .addOption(new Option('--phase <phase>', 'only jobs in this phase').choices(PHASES))
    .option('--kind <kind>', 'only jobs of this kind, e.g. PyTorchJob')
    .option('--limit <number>', 'at most so many', wholeNumber, 100)
    .addOption(outputOption())
    .action(async ({ phase, kind, allNamespaces, limit, output }: ListFlags, command: Command) => {
      await withClient(command, async ({ client, settings }) => {
        const namespace = allNamespaces ? undefined : (settings.namespace ?? 'default');
        const jobs: JobSummary[] = [];
        for await (const job of client.list({ namespace, phase, kind, limit: limit + 1 })) jobs.push(job);
        const shown = jobs.slice(0, limit);
        await print(shown, output, () => jobsText(shown, namespace));
        if (jobs.length > limit) note(`There are more than ${limit}; --limit shows more of them.`);
      });
    });

async function jobsText(jobs: readonly JobSummary[], namespace: string | undefined): Promise<string> {
  if (jobs.length === 0) return namespace ? `No jobs in namespace ${namespace}.` : 'No jobs.';
  const rows = jobs.map((job) => [
    job.namespace,
    job.name,
    job.kind,
    painted(job.phase),
    job.reason ?? '',
    String(job.attempt),
    job.startTime,
    between(job.startTime, job.endTime),
  ]);
  return table(['NAMESPACE', 'NAME', 'KIND', 'PHASE', 'REASON', 'ATTEMPT', 'STARTED', 'TOOK'], rows);
}
