import type { Command } from 'commander';
import type { AttestedJob } from '../../record/attest/attested-job.ts';
import { type ChosenJob, chosenJob, findJob } from '../job-choice.ts';
import { settingsOf, withClient } from '../session.ts';
import { attestedFromArchive, attestedFromServer, NotAttestableError } from './attested-job.ts';

/** Reads the job that a command line names, from the servers or from the archive. */
export async function readAttestedJob(
  name: string | undefined,
  command: Command,
  { archived }: { readonly archived?: boolean },
): Promise<AttestedJob> {
  const asked = chosenJob(name, command);
  if (archived) return fromArchive(asked, command);
  let read: AttestedJob | undefined;
  await withClient(command, async ({ client, settings }) => {
    const { address, namespace } = settings.temporal;
    read = await attestedFromServer(await findJob(client, asked), `temporal://${address}/${namespace}`);
  });
  return read!;
}

async function fromArchive(asked: ChosenJob, command: Command): Promise<AttestedJob> {
  const { archive, namespace = 'default' } = await settingsOf(command);
  if (!archive.store) {
    throw new NotAttestableError(
      'There is no archive.',
      'SIGNALBOX_ARCHIVE_STORE says where jobs are archived.',
    );
  }
  const [{ openArchive }, { openArchiveStore }] = await Promise.all([
    import('../../record/archive/archive-reader.ts'),
    import('../../record/archive/open-archive-store.ts'),
  ]);
  const opened = openArchive(openArchiveStore(archive.store));
  try {
    const wanted = 'workflowId' in asked ? asked : { namespace, ...withoutUndefined(asked) };
    const found = await opened.find(wanted);
    if (found) return await attestedFromArchive(found);
    throw new NotAttestableError(
      `${opened.store.place} has no archive of this job.`,
      'Is its namespace given, with -n?',
    );
  } finally {
    opened.close();
  }
}

const withoutUndefined = ({ name, namespace }: { readonly name: string; readonly namespace?: string }) =>
  namespace === undefined ? { name } : { name, namespace };
