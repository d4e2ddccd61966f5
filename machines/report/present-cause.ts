import type { Cause } from '../../contracts/status.ts';
import type { Position } from '../chart/position.ts';
import { refusalCause } from '../timeouts/refusals.ts';
import { waitingCause } from './explain.ts';
import type { JobRecord } from './job-record.ts';

/** Returns what a job waits for, or why it ends; undefined if it simply runs. */
export const presentCause = (position: Position, record: JobRecord): Cause | undefined =>
  refusalCause(position.context) ?? waitingCause(position, whyEntered(record));

/** Returns why the state was entered; later entries of the same state are interventions and other news. */
function whyEntered({ timeline }: JobRecord): string {
  const { state, attempt } = timeline.at(-1)!;
  const before = timeline.findLastIndex((entry) => entry.state !== state || entry.attempt !== attempt);
  return timeline[before + 1]!.cause;
}
