import { orMeant } from '../../language/meant.ts';
import { SignalboxError } from './signalbox-error.ts';

/**
 * Temporal has no such schedule.
 *
 * @public
 */
export class ScheduleNotFoundError extends SignalboxError<'ScheduleNotFound'> {
  static override readonly code = 'ScheduleNotFound';
  readonly scheduleId: string;

  /** `near`: a name that was probably meant. */
  constructor(scheduleId: string, cause?: unknown, near?: string) {
    super(`There is no schedule ${scheduleId}${orMeant(near)}`, {
      cause,
      remedy: 'See `signalbox schedule list -A`.',
    });
    this.scheduleId = scheduleId;
  }
}

/**
 * A schedule of this name exists.
 *
 * @public
 */
export class ScheduleExistsError extends SignalboxError<'ScheduleExists'> {
  static override readonly code = 'ScheduleExists';
  readonly scheduleId: string;

  constructor(scheduleId: string, cause?: unknown) {
    super(`There is a schedule ${scheduleId} already.`, {
      cause,
      remedy:
        'Nothing was changed. Delete it (`signalbox schedule delete`), or choose another name (--name).',
    });
    this.scheduleId = scheduleId;
  }
}

/**
 * The request says no time that Temporal understands, or contradicts itself.
 *
 * @public
 */
export class InvalidScheduleError extends SignalboxError<'InvalidSchedule'> {
  static override readonly code = 'InvalidSchedule';

  constructor(message: string, cause?: unknown) {
    super(message, { cause, remedy: 'Nothing was changed. See `signalbox schedule create --help`.' });
  }
}
