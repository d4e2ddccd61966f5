import { Argument, type Command, Option } from 'commander';
import type { OverlapPolicy, ScheduleSelector } from '../../client/use-cases/schedules/schedule-types.ts';
import { OVERLAP_POLICIES } from '../../contracts/overlap-policies.ts';
import { completedBy } from '../shell/completed-by.ts';

const OVERLAPS: readonly OverlapPolicy[] = OVERLAP_POLICIES;

/** What each policy does, for help texts. */
export const OVERLAP_HELP = `What --overlap does when a job is due while an earlier one of the schedule still runs:
  skip          the new one is not started
  queue-one     it starts when the earlier one has ended; at most one waits
  queue-all     each starts when the one before it has ended
  stop-running  the earlier one is stopped and cleans up; then the new one starts
  allow         both run`;

export const overlapOption = (fallback: OverlapPolicy) =>
  new Option('--overlap <policy>', 'if an earlier job still runs').choices(OVERLAPS).default(fallback);

/** Adds the argument that names a schedule. */
export const aboutSchedule = (command: Command): Command =>
  command.addArgument(
    completedBy(
      'schedules',
      new Argument('<name>', 'NAME, NAMESPACE/NAME, or the id of a schedule of another tool'),
    ),
  );

/** The session's client adds the namespace to a plain name. */
export const selectorOf = (given: string): ScheduleSelector =>
  given.includes('/') ? { scheduleId: given } : { name: given };
