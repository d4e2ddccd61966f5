import type { CallOptions } from '../servers/client-settings.ts';
import type {
  OverlapPolicy,
  ScheduleDetails,
  ScheduleRequest,
  ScheduleSelector,
  ScheduleSummary,
} from '../use-cases/schedules/schedule-types.ts';
import {
  backfillSchedule,
  createSchedule,
  deleteSchedule,
  describeSchedule,
  listSchedules,
  pauseSchedule,
  type SchedulingPorts,
  triggerSchedule,
  unpauseSchedule,
} from '../use-cases/schedules/schedules.ts';
import { refuseUnknownOptions } from './known-options.ts';

/**
 * Jobs that start by the clock. Each has the name of the manifest and the time at which it was due, e.g.
 * `nightly-20261122-043602`. Temporal starts them: no process of signalbox has to run for that but a worker.
 *
 * @example
 * ```ts
 * await client.schedules.create(manifest, { cron: ['0 2 * * *'], timeZone: 'Europe/Berlin', overlap: 'queue-one' });
 * await client.schedules.pause({ name: 'nightly' }, { why: 'maintenance' });
 * ```
 *
 * @public
 */
export class JobSchedules {
  readonly #ports: SchedulingPorts;

  /** @internal */
  constructor(ports: SchedulingPorts) {
    this.#ports = ports;
  }

  /**
   * Creates a schedule for the jobs of a manifest. Throws `InvalidManifestError` and `InvalidScheduleError` before
   * anything is created, and `ScheduleExistsError` if there is one of this name.
   */
  async create(manifest: object, request: ScheduleRequest): Promise<ScheduleDetails> {
    await refuseUnknownOptions({ schedule: request });
    return createSchedule(this.#ports, manifest, request);
  }

  /** Lists schedules of jobs, those of other tools included. */
  async *list(filter: { readonly namespace?: string } = {}): AsyncGenerator<ScheduleSummary> {
    await refuseUnknownOptions({ schedules: filter });
    yield* listSchedules(this.#ports, filter);
  }

  /** Throws `ScheduleNotFoundError`, as all methods below do. */
  async get(schedule: ScheduleSelector, options: CallOptions = {}): Promise<ScheduleDetails> {
    await refuseUnknownOptions({ call: options });
    return describeSchedule({ ports: this.#ports, schedule }, options);
  }

  /** No job starts until the schedule is unpaused. Running jobs continue. */
  async pause(schedule: ScheduleSelector, options: CallOptions & { why?: string } = {}): Promise<void> {
    await refuseUnknownOptions({ pauseSchedule: options });
    return pauseSchedule({ ports: this.#ports, schedule }, options);
  }

  /** Jobs start again when they are due. */
  async unpause(schedule: ScheduleSelector, options: CallOptions & { why?: string } = {}): Promise<void> {
    await refuseUnknownOptions({ pauseSchedule: options });
    return unpauseSchedule({ ports: this.#ports, schedule }, options);
  }

  /** Running jobs continue. */
  async delete(schedule: ScheduleSelector, options: CallOptions = {}): Promise<void> {
    await refuseUnknownOptions({ call: options });
    return deleteSchedule({ ports: this.#ports, schedule }, options);
  }

  /** Starts a job now, also if the schedule is paused. `overlap`: default `allow`. */
  async trigger(
    schedule: ScheduleSelector,
    options: CallOptions & { overlap?: OverlapPolicy } = {},
  ): Promise<void> {
    await refuseUnknownOptions({ trigger: options });
    return triggerSchedule({ ports: this.#ports, schedule }, options);
  }

  /** Starts the jobs that were due in a time that has passed. `overlap`: default `queue-all`, one after the other. */
  async backfill(
    schedule: ScheduleSelector,
    options: CallOptions & { from: Date; to: Date; overlap?: OverlapPolicy },
  ): Promise<void> {
    await refuseUnknownOptions({ backfill: options });
    return backfillSchedule({ ports: this.#ports, schedule }, options);
  }
}
