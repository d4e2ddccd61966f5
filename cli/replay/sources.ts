import type { Command } from 'commander';
import { archivedJob, openedArchive, orArchived } from '../archived/archived-job.ts';
import { chosenJob, findJob } from '../jobs/job-choice.ts';
import { connectedClient } from '../session/session.ts';
import type { Settings } from '../settings/settings.ts';
import { historiesOf, sourcesAt } from './history-files.ts';
import type { RecordedHistories, ReplaySource } from './recorded-histories.ts';

interface Asked {
  readonly what: readonly string[];
  readonly archived?: boolean;
  readonly since?: Date;
}

interface Around {
  readonly command: Command;
  readonly settings: Settings;
}

/** What to replay, and what has to be closed after it. */
interface ReplaySources {
  readonly sources: Iterable<ReplaySource> | AsyncIterable<ReplaySource>;
  close(): Promise<void>;
}

/** Resolves arguments: existing files and folders, everything else as names of jobs. Asks servers only for jobs. */
export async function replaySources(asked: Asked, around: Around): Promise<ReplaySources> {
  const { what, archived } = asked;
  if (archived) return archivedJobs(asked, around);
  const found = await Promise.all(what.map(async (word) => (await sourcesAt(word)) ?? word));
  const isAllFiles = found.every((one) => typeof one !== 'string');
  if (isAllFiles) return { sources: found.flat(), close: async () => undefined };
  const client = await connectedClient(around.settings);
  const job = (word: string): ReplaySource => ({
    title: word,
    read: async () => {
      const chosen = chosenJob(word, around.command);
      const ask = async () => {
        const handle = await findJob(client, chosen);
        const { runs } = await handle.histories();
        return { workflowId: handle.workflowId, runs: runs.map(({ history }) => history) };
      };
      return orArchived<RecordedHistories>(ask, { ...around, chosen, read: historiesOf });
    },
  });
  return {
    sources: found.flatMap((one) => (typeof one === 'string' ? job(one) : one)),
    close: () => client.close(),
  };
}

async function archivedJobs({ what, since }: Asked, { command, settings }: Around): Promise<ReplaySources> {
  const archive = await openedArchive(settings);
  const { namespace } = settings;
  const named = (word: string): ReplaySource => ({
    title: word,
    read: async () => {
      return historiesOf(await archivedJob(archive, chosenJob(word, command), settings));
    },
  });
  async function* all(): AsyncGenerator<ReplaySource> {
    for await (const job of archive.list({ namespace, closedSince: since })) {
      yield { title: job.job.workflowId, read: () => historiesOf(job) };
    }
  }
  return {
    sources: what.length > 0 ? what.map(named) : all(),
    close: async () => archive.close(),
  };
}
