import type { Client } from '@temporalio/client';
import type { NotifierBeat } from '../../contracts/notifications.ts';
import { formatDuration } from '../../language/duration.ts';
import { errorMessage } from '../../language/error-message.ts';
import { notifierBeat } from '../../temporal/notifier-beat.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warning } = findingsOf('notifier');

/** A look takes some seconds. While another process takes over, the last one gets up to half a minute old. */
const OLD_MS = 60_000;

/** Looks whether people are told what they want to be told. Nothing where nobody ever wanted that. */
export async function notifierFindings(
  temporal: Client,
  installation: string,
  now = Date.now(),
): Promise<readonly Finding[]> {
  try {
    const found = await notifierBeat(temporal, installation);
    if (!found) return [];
    return found.beat ? findingsOfBeat(found.beat, now) : [warning('looks', 'none yet', START)];
  } catch (error) {
    return [warning('looks', errorMessage(error), START)];
  }
}

export function findingsOfBeat({ at, routes, faults = [], problem }: NotifierBeat, now: number): Finding[] {
  const ageMs = now - Date.parse(at);
  const looks =
    ageMs > OLD_MS
      ? warning('looks', `the last one was ${formatDuration(ageMs)} ago: no notifier runs`, START)
      : problem === undefined
        ? ok('looks', `it tells by ${routes} routes`)
        : warning('looks', problem, 'The log of the notifier says more; docs/notifications.md.');
  const inUse = routes > 0 ? `; it uses the last good ones, ${routes} routes` : '; nothing is told';
  return [looks, ...(faults.length > 0 ? [warning('routes', `${faults.join('; ')}${inUse}`, MEND)] : [])];
}

const START =
  'Start one: `signalbox notifier`, or `up`, with SIGNALBOX_NOTIFICATIONS (docs/notifications.md).';
const MEND = 'Mend the file: `signalbox notify check FILE` names all its faults.';
