import { type Cause, entryOfState } from '../../contracts/status.ts';
import type { Position } from '../chart/position.ts';
import { refusalCause } from '../timeouts/refusals.ts';
import { waitingCause } from './explain.ts';
import type { JobRecord } from './job-record.ts';

/** Returns what a job waits for, or why it ends; undefined if it simply runs. */
export const presentCause = (position: Position, record: JobRecord): Cause | undefined =>
  refusalCause(position.context) ?? waitingCause(position, whyEntered(record));

const whyEntered = ({ timeline }: JobRecord): string => timeline[entryOfState(timeline)]!.cause;
