import type { Command } from 'commander';
import { RefusedError } from '../../client/errors/errors.ts';
import { ArchiveReader } from '../../client/handles/archive-reader.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { PeriodOptions } from '../../client/use-cases/cost/cost-options.ts';
import { archiveIn } from '../../record/archive/archive-reader.ts';
import { readArchiveLog } from '../../record/log/read-archive-log.ts';
import { orWithoutTemporal, warn, withJobSources } from '../session/job-sources.ts';
import { UsageError } from '../shell/errors.ts';

interface Choice extends Pick<PeriodOptions, 'since' | 'until' | 'prices'> {
  readonly archived?: boolean | undefined;
}

type BothAsked<Name extends 'cost' | 'report'> = Pick<SignalboxClient | ArchiveReader, Name>;
type Asked = Parameters<SignalboxClient['report']>[0];

/**
 * Asks about all jobs, archived and live; of all namespaces, unless the command line names one: a sum must not depend on a
 * setting that nobody sees. Without Temporal, the archive answers alone.
 */
export async function askOfManyJobs<T>(
  command: Command,
  { archived, since, until, prices }: Choice,
  ask: (asked: BothAsked<'cost' | 'report'>, options: NonNullable<Asked>) => Promise<T>,
): Promise<T> {
  const { namespace } = command.optsWithGlobals<{ namespace?: string }>();
  const options = { since, until, prices, namespace, onWarning: warn };
  return withJobSources(command, { archived }, async ({ store, live }) => {
    const archive = store && new ArchiveReader(archiveIn(store), {});
    const alone = async () => ask(archive!, options);
    if (!live) return alone();
    const hasArchive = store !== undefined && (await readArchiveLog(store)).size > 0;
    const both = async () => {
      const connected = await live;
      if ('error' in connected) throw connected.error;
      return ask(connected.client, { ...options, archive });
    };
    return orWithoutTemporal(both, { hasArchive, answer: alone });
  }).catch((error: unknown) => {
    if (!(error instanceof RefusedError)) throw error;
    throw new UsageError(`--${error.message}`, { cause: error, remedy: error.remedy });
  });
}
