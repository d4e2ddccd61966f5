import type { SignalboxClient } from '../../client/handles/client.ts';
import { isFinal } from '../../contracts/status.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { allOf } from '../../language/all-of.ts';
import { errorMessage } from '../../language/error-message.ts';
import { colours, note, write } from '../print/output.ts';
import { withoutMilliseconds } from '../print/times.ts';
import { deliveryText } from './notification-table.ts';

interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** Another job may have had the name before, or after. */
const AFTER_END_MS = 60_000;
const MOST = 100;

/** Prints what was told of a job, and to whom; nothing if nothing was. The history stands above it, whatever happens here. */
export async function writeTold(
  client: SignalboxClient,
  { namespace, name }: Named,
  entries: readonly LedgerEntry[],
): Promise<void> {
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last) return;
  const until = isFinal(last.phase) ? new Date(Date.parse(last.at) + AFTER_END_MS) : undefined;
  try {
    const filter = { namespace, name, since: new Date(first.at), until, limit: MOST };
    const told = await allOf(client.notifications(filter));
    if (told.length === 0) return;
    write(`\n${colours.bold('TOLD')}`);
    for (const one of told.toSorted((a, b) => a.at.localeCompare(b.at)))
      write(
        `${colours.dim(withoutMilliseconds(one.at))}  ${one.says}, to ${one.to} (route ${one.route}): ${deliveryText(one)}`,
      );
  } catch (error) {
    note(`what was told of the job could not be listed: ${errorMessage(error)}`);
  }
}
