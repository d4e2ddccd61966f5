import {
  type Client,
  ScheduleNotFoundError as NoSuchSchedule,
  ScheduleAlreadyRunning,
  type ScheduleHandle,
} from '@temporalio/client';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import type { CallOptions } from '../client-settings.ts';
import type { Manifest } from '../named-manifest.ts';
import { retryWhileAway } from '../retry-while-away.ts';
import { isAboutSearchAttributes, toClientError } from '../temporal-errors.ts';
import { scheduleDetails, scheduleSummary, TEMPORAL_OVERLAP } from './describe-schedule.ts';
import { InvalidScheduleError, ScheduleExistsError, ScheduleNotFoundError } from './schedule-errors.ts';
import type { ScheduleDefaults } from './schedule-request.ts';
import type {
  OverlapPolicy,
  ScheduleDetails,
  ScheduleRequest,
  ScheduleSelector,
  ScheduleSummary,
} from './schedule-types.ts';

interface Context {
  readonly temporal: Client;
  readonly temporalAddress: string;
  readonly defaults: ScheduleDefaults;
}

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
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Creates a schedule for the jobs of a manifest. Throws `InvalidManifestError` and `InvalidScheduleError` before
   * anything is created, and `ScheduleExistsError` if there is one of this name.
   */
  async create(manifest: object, request: ScheduleRequest): Promise<ScheduleDetails> {
    const { defaults, temporal } = this.#context;
    const namespace = request.namespace ?? defaults.namespace;
    // Only this reads manifests.
    const { scheduledAttributes, scheduleOptions } = await import('./schedule-request.ts');
    const options = scheduleOptions(manifest, request, { ...defaults, namespace });
    const { scheduleId, action } = options;
    const typedSearchAttributes = scheduledAttributes(action.args?.[0] as Manifest, defaults.submittedBy);
    await this.#ask(scheduleId, request, async () => {
      try {
        await temporal.schedule.create({ ...options, action: { ...action, typedSearchAttributes } });
      } catch (error) {
        if (!isAboutSearchAttributes(error)) throw error;
        // The first worker registers the search attributes. It will also set them.
        await temporal.schedule.create(options);
      }
    });
    return this.get({ scheduleId }, request);
  }

  /** Lists schedules of jobs, those of other tools included. */
  async *list(filter: { readonly namespace?: string } = {}): AsyncGenerator<ScheduleSummary> {
    const { temporal, temporalAddress } = this.#context;
    try {
      for await (const listed of temporal.schedule.list()) {
        if (listed.action?.workflowType !== TRAINING_JOB) continue;
        const summary = scheduleSummary(listed);
        if (isIn(summary, filter.namespace)) yield summary;
      }
    } catch (error) {
      throw toClientError(error, { workflowId: '', address: temporalAddress });
    }
  }

  /** Throws `ScheduleNotFoundError`, as all methods below do. */
  async get(schedule: ScheduleSelector, options: CallOptions = {}): Promise<ScheduleDetails> {
    const { scheduleId, work } = this.#on(schedule, options, (handle) => handle.describe());
    const description = await work;
    return scheduleDetails({ ...description, scheduleId: description.scheduleId || scheduleId });
  }

  /** No job starts until the schedule is unpaused. Running jobs continue. */
  async pause(
    schedule: ScheduleSelector,
    { why, ...options }: CallOptions & { why?: string } = {},
  ): Promise<void> {
    await this.#on(schedule, options, (handle) => handle.pause(this.#noteOf('paused', why))).work;
  }

  /** Jobs start again when they are due. */
  async unpause(
    schedule: ScheduleSelector,
    { why, ...options }: CallOptions & { why?: string } = {},
  ): Promise<void> {
    await this.#on(schedule, options, (handle) => handle.unpause(this.#noteOf('unpaused', why))).work;
  }

  /** Running jobs continue. */
  async delete(schedule: ScheduleSelector, options: CallOptions = {}): Promise<void> {
    await this.#on(schedule, options, (handle) => handle.delete()).work;
  }

  /** Starts a job now, also if the schedule is paused. `overlap`: default `allow`. */
  async trigger(
    schedule: ScheduleSelector,
    { overlap = 'allow', ...options }: CallOptions & { overlap?: OverlapPolicy } = {},
  ): Promise<void> {
    await this.#on(schedule, options, (handle) => handle.trigger(TEMPORAL_OVERLAP[overlap])).work;
  }

  /** Starts the jobs that were due in a time that has passed. `overlap`: default `queue-all`, one after the other. */
  async backfill(
    schedule: ScheduleSelector,
    {
      from,
      to,
      overlap = 'queue-all',
      ...options
    }: CallOptions & { from: Date; to: Date; overlap?: OverlapPolicy },
  ): Promise<void> {
    if (!(from < to)) throw new InvalidScheduleError(`to: expected a time after ${from.toISOString()}.`);
    // Temporal leaves out the first moment of the range.
    const start = new Date(from.getTime() - 1_000);
    const range = { start, end: to, overlap: TEMPORAL_OVERLAP[overlap] };
    await this.#on(schedule, options, (handle) => handle.backfill(range)).work;
  }

  #noteOf(done: string, why: string | undefined): string {
    return `${done} by ${this.#context.defaults.submittedBy}${why ? `: ${why}` : ''}`;
  }

  /** A name also finds the schedule of another tool that has just this id. */
  #on<T>(schedule: ScheduleSelector, options: CallOptions, work: (handle: ScheduleHandle) => Promise<T>) {
    const { defaults, temporal } = this.#context;
    const ids =
      'scheduleId' in schedule
        ? [schedule.scheduleId]
        : [`${schedule.namespace ?? defaults.namespace}/${schedule.name}`, schedule.name];
    const [scheduleId, other] = ids as [string, string?];
    const on = (id: string) => work(temporal.schedule.getHandle(id));
    const call = () =>
      on(scheduleId).catch((error) => {
        if (!(error instanceof NoSuchSchedule) || other === undefined) throw error;
        return on(other);
      });
    return { scheduleId, work: this.#ask(scheduleId, options, call) };
  }

  async #ask<T>(scheduleId: string, options: CallOptions, call: () => Promise<T>): Promise<T> {
    const { temporal, temporalAddress } = this.#context;
    try {
      return await retryWhileAway(temporal, options, call);
    } catch (error) {
      if (error instanceof NoSuchSchedule) throw new ScheduleNotFoundError(scheduleId, error);
      if (error instanceof ScheduleAlreadyRunning) throw new ScheduleExistsError(scheduleId, error);
      // The SDK's error for what the server calls an invalid argument.
      if (error instanceof TypeError)
        throw new InvalidScheduleError(`Temporal refused: ${error.message}.`, error);
      throw toClientError(error, { workflowId: scheduleId, address: temporalAddress });
    }
  }
}

/** A schedule of another tool does not say the namespace of its jobs. */
const isIn = (summary: ScheduleSummary, namespace: string | undefined) =>
  namespace === undefined || summary.namespace === namespace || summary.namespace === '';
