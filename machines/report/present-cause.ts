import { type Cause, entryOfState } from '../../contracts/status.ts';
import type { Position } from '../chart/position.ts';
import type { JobRecord } from './job-record.ts';
import { waitingCause } from './waiting-cause.ts';

export const presentCause = (position: Position, record: JobRecord): Cause | undefined =>
  waitingCause(position, whyEntered(record));

const whyEntered = ({ timeline }: JobRecord): string => timeline[entryOfState(timeline)]!.cause;
