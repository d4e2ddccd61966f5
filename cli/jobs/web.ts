import type { Command } from 'commander';
import { jobUrl } from '../../contracts/console-address.ts';
import { writeData } from '../print/output.ts';
import { settingsOf, withClient } from '../session/session.ts';
import type { Settings } from '../settings/settings.ts';
import { openInBrowser } from '../shell/open-in-browser.ts';
import { type ChosenJob, findJob } from './job-choice.ts';

/** The option of commands that print about a job. */
export const webOption = (command: Command): Command =>
  command.option('--web', 'open it in the console instead, and print the address');

export interface WebFlags {
  readonly web?: boolean;
}

/** Which part of a job's page is about the same: the rest of the path, or the id of a section. */
interface PagePart {
  readonly path?: '/logs';
  readonly section?: 'why' | 'ledger' | 'failures' | 'uses';
  /** Of a job that Temporal may no longer have: no server is asked. */
  readonly archived?: boolean | undefined;
}

/** Opens the pages of jobs in the console, the one of the settings or of this machine, and prints their addresses. */
export async function openInConsole(
  chosen: readonly ChosenJob[],
  command: Command,
  { path, section, archived }: PagePart = {},
): Promise<void> {
  const settings = await settingsOf(command);
  for (const each of chosen) {
    const { namespace, name } = await placeOf(each, command, { settings, archived });
    const page = jobUrl({ namespace, name, ...(each.run === undefined ? {} : { run: each.run }) }, path);
    const address = `${originOf(settings)}${page}${section ? `#${section}` : ''}`;
    writeData(address, 'text');
    await openInBrowser(address);
  }
}

const originOf = ({ console: { url, port } }: Settings): string => url ?? `http://127.0.0.1:${port}`;

interface Around {
  readonly settings: Settings;
  readonly archived: boolean | undefined;
}

async function placeOf(
  chosen: ChosenJob,
  command: Command,
  { settings, archived }: Around,
): Promise<{ readonly namespace: string; readonly name: string }> {
  if (archived && 'name' in chosen)
    return { namespace: chosen.namespace ?? settings.namespace ?? 'default', name: chosen.name };
  let place = { namespace: '', name: '' };
  await withClient(command, async ({ client }) => {
    place = await (await findJob(client, chosen)).summary();
  });
  return place;
}
