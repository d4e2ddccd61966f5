import {
  ScheduleNotFoundError as NoSuchSchedule,
  ScheduleAlreadyRunning,
  type ScheduleHandle,
} from '@temporalio/client';
import { TRAINING_JOB } from '../../../contracts/messages.ts';
import {
  InvalidScheduleError,
  ScheduleExistsError,
  ScheduleNotFoundError,
} from '../../errors/schedule-errors.ts';
import type { Manifest } from '../../manifests/named-manifest.ts';
import { ask, eachTranslated } from '../../servers/ask.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import { isAboutSearchAttributes } from '../../servers/temporal-errors.ts';
import { scheduleDetails, scheduleSummary, TEMPORAL_OVERLAP } from './describe-schedule.ts';
import type {
  OverlapPolicy,
  ScheduleDetails,
  ScheduleRequest,
  ScheduleSelector,
  ScheduleSummary,
} from './schedule-types.ts';

export type SchedulingPorts = TemporalPort & Pick<ClientPorts, 'namespace' | 'taskQueue' | 'user'>;

/** Which schedule, and who asks. */
export interface AskedSchedule {
  readonly ports: SchedulingPorts;
  readonly schedule: ScheduleSelector;
}

/** Creates a schedule for the jobs of a manifest. */
export async function createSchedule(
  ports: SchedulingPorts,
  manifest: object,
  request: ScheduleRequest,
): Promise<ScheduleDetails> {
  const { temporal, taskQueue, user: submittedBy } = ports;
  const { namespace = ports.namespace } = request;
  // Only this reads manifests.
  const { scheduledAttributes, scheduleOptions } = await import('./schedule-request.ts');
  const options = scheduleOptions(manifest, request, { namespace, taskQueue, submittedBy });
  const { scheduleId, action } = options;
  const typedSearchAttributes = scheduledAttributes(action.args?.[0] as Manifest, submittedBy);
  await askSchedule({ ports, scheduleId, options: request }, async () => {
    try {
      await temporal.schedule.create({ ...options, action: { ...action, typedSearchAttributes } });
    } catch (error) {
      if (!isAboutSearchAttributes(error)) throw error;
      // The first worker registers the search attributes. It will also set them.
      await temporal.schedule.create(options);
    }
  });
  return describeSchedule({ ports, schedule: { scheduleId } }, request);
}

/** Yields schedules of jobs, those of other tools included. */
export const listSchedules = (
  ports: TemporalPort,
  { namespace }: { readonly namespace?: string },
): AsyncGenerator<ScheduleSummary> =>
  eachTranslated({ ports, workflowId: '' }, async function* () {
    for await (const listed of ports.temporal.schedule.list()) {
      if (listed.action?.workflowType !== TRAINING_JOB) continue;
      const summary = scheduleSummary(listed);
      if (isIn(summary, namespace)) yield summary;
    }
  });

/** A schedule of another tool does not say the namespace of its jobs. */
const isIn = (summary: ScheduleSummary, namespace: string | undefined) =>
  namespace === undefined || summary.namespace === namespace || summary.namespace === '';

export async function describeSchedule(asked: AskedSchedule, options: CallOptions): Promise<ScheduleDetails> {
  const description = await onSchedule(asked, options, (handle) => handle.describe());
  return scheduleDetails({ ...description, scheduleId: description.scheduleId || idsOf(asked)[0] });
}

type WhyOptions = CallOptions & { readonly why?: string };

export const pauseSchedule = (asked: AskedSchedule, { why, ...options }: WhyOptions): Promise<void> =>
  onSchedule(asked, options, (handle) => handle.pause(scheduleNote('pause', asked, why)));

export const unpauseSchedule = (asked: AskedSchedule, { why, ...options }: WhyOptions): Promise<void> =>
  onSchedule(asked, options, (handle) => handle.unpause(scheduleNote('unpause', asked, why)));

/** What is shown with a schedule from then on: who did it, and why. */
export const scheduleNote = (
  change: 'pause' | 'unpause',
  { ports }: AskedSchedule,
  why: string | undefined,
): string => `${change}d by ${ports.user}${why ? `: ${why}` : ''}`;

export async function deleteSchedule(asked: AskedSchedule, options: CallOptions): Promise<void> {
  await onSchedule(asked, options, (handle) => handle.delete());
}

/** Starts a job now. */
export const triggerSchedule = (
  asked: AskedSchedule,
  { overlap = 'allow', ...options }: CallOptions & { readonly overlap?: OverlapPolicy },
): Promise<void> => onSchedule(asked, options, (handle) => handle.trigger(TEMPORAL_OVERLAP[overlap]));

interface BackfillRange {
  readonly from: Date;
  readonly to: Date;
  readonly overlap?: OverlapPolicy | undefined;
}

/** Starts the jobs that were due in a time that has passed. */
export async function backfillSchedule(
  asked: AskedSchedule,
  { from, to, overlap, ...options }: BackfillRange & CallOptions,
): Promise<void> {
  const range = backfillRange({ from, to, overlap });
  await onSchedule(asked, options, (handle) => handle.backfill(range));
}

/** As Temporal takes it. */
export function backfillRange({ from, to, overlap = 'queue-all' }: BackfillRange) {
  if (!(from < to)) throw new InvalidScheduleError(`to: expected a time after ${from.toISOString()}.`);
  // Temporal leaves out the first moment of the range.
  const start = new Date(from.getTime() - 1_000);
  return { start, end: to, overlap: TEMPORAL_OVERLAP[overlap] };
}

/** A name also finds the schedule of another tool that has just this id. */
function onSchedule<T>(
  asked: AskedSchedule,
  options: CallOptions,
  work: (handle: ScheduleHandle) => Promise<T>,
): Promise<T> {
  const { ports } = asked;
  const [scheduleId, other] = idsOf(asked);
  const on = (id: string) => work(ports.temporal.schedule.getHandle(id));
  return askSchedule({ ports, scheduleId, options }, () =>
    on(scheduleId).catch((error) => {
      if (!(error instanceof NoSuchSchedule) || other === undefined) throw error;
      return on(other);
    }),
  );
}

function idsOf({ ports, schedule }: AskedSchedule): readonly [string, string?] {
  if ('scheduleId' in schedule) return [schedule.scheduleId];
  const { name, namespace = ports.namespace } = schedule;
  return [`${namespace}/${name}`, name];
}

interface Asked {
  readonly ports: TemporalPort;
  readonly scheduleId: string;
  readonly options: CallOptions;
}

const askSchedule = <T>({ ports, scheduleId, options }: Asked, call: () => Promise<T>): Promise<T> =>
  ask({ ports, workflowId: scheduleId, options }, call).catch((error: unknown) => {
    throw scheduleError(scheduleId, error);
  });

function scheduleError(scheduleId: string, error: unknown): unknown {
  if (error instanceof NoSuchSchedule) return new ScheduleNotFoundError(scheduleId, error);
  if (error instanceof ScheduleAlreadyRunning) return new ScheduleExistsError(scheduleId, error);
  // The SDK's error for what the server calls an invalid argument.
  if (error instanceof TypeError)
    return new InvalidScheduleError(`Temporal refused: ${error.message}.`, error);
  return error;
}
