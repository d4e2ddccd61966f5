import type { Command } from 'commander';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobArchive } from '../../record/archive/job-archive.ts';
import { type ChosenJob, findJob } from '../jobs/job-choice.ts';
import { type Session, settingsOf, withClient } from '../session/session.ts';
import { settingOptions } from '../settings/setting-options.ts';
import { orArchived, withArchivedJob } from './archived-job.ts';

/** How commands read the archive: with `--archived`, or where Temporal no longer has a job. No server is asked for it. */

export interface ArchivedFlags {
  readonly archived?: boolean;
}

export const archivedOptions = (command: Command): Command =>
  settingOptions(command.option('--archived', 'read the archive instead of asking a server'), ['archiveDir']);

interface Sources<T> {
  readonly server: (job: JobHandle, session: Session) => Promise<T>;
  readonly archive: (job: JobArchive) => Promise<T>;
}

/** Reads a job from the server or from the archive. */
export async function liveOrArchived<T>(
  { command, archived }: { readonly command: Command } & ArchivedFlags,
  chosen: ChosenJob,
  { server, archive: read }: Sources<T>,
): Promise<T> {
  const settings = await settingsOf(command);
  if (archived) return withArchivedJob(chosen, settings, read);
  const ask = () => asked(command, async (session) => server(await findJob(session.client, chosen), session));
  return orArchived(ask, { chosen, settings, read });
}

async function asked<T>(command: Command, run: (session: Session) => Promise<T>): Promise<T> {
  const answers: T[] = [];
  await withClient(command, async (session) => {
    answers.push(await run(session));
  });
  return answers[0]!;
}
