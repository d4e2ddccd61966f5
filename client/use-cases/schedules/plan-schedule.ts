import type { ScheduleOptions } from '@temporalio/client';
import type { Manifest } from '../../manifests/named-manifest.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import { TEMPORAL_OVERLAP } from './describe-schedule.ts';
import { type ScheduleDefaults, scheduledAttributes, scheduleOptions } from './schedule-request.ts';
import type { OverlapPolicy, ScheduleRequest } from './schedule-types.ts';
import { type AskedSchedule, backfillRange, describeSchedule, scheduleNote } from './schedules.ts';

/** What a client in another language sends to Temporal, so that no rule of schedules is written twice. */

/** A schedule to create. Durations in milliseconds; `overlap` as Temporal calls it. */
export function planSchedule(manifest: object, request: ScheduleRequest, defaults: ScheduleDefaults) {
  const { scheduleId, action, spec, policies, state, memo } = scheduleOptions(manifest, request, defaults);
  const { workflowId, args = [], memo: recorded, staticSummary, staticDetails } = action;
  const attributes = scheduledAttributes(args[0] as Manifest, defaults.submittedBy);
  return {
    ...{ scheduleId, spec: sentSpec(spec), policies, state, memo },
    action: {
      ...{ workflowId, manifest: args[0], memo: recorded, staticSummary, staticDetails },
      searchAttributes: Object.fromEntries(attributes.map(({ key, value }) => [key.name, value])),
    },
  };
}

function sentSpec({ intervals = [], startAt, endAt, ...spec }: ScheduleOptions['spec']) {
  return { ...spec, intervals, startAt: startAt?.toISOString(), endAt: endAt?.toISOString() };
}

/** How a schedule that exists is to change. */
export interface ScheduleChange {
  readonly change: 'pause' | 'unpause' | 'delete' | 'trigger' | 'backfill';
  readonly why?: string | undefined;
  readonly overlap?: OverlapPolicy | undefined;
  /** Of `backfill`. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Throws `ScheduleNotFoundError`. */
export async function planScheduleChange(
  asked: AskedSchedule,
  { change, why, overlap, from, to }: ScheduleChange,
  options: CallOptions,
) {
  const { scheduleId } = await describeSchedule(asked, options);
  if (change === 'pause' || change === 'unpause')
    return { scheduleId, note: scheduleNote(change, asked, why) };
  if (change === 'trigger') return { scheduleId, overlap: TEMPORAL_OVERLAP[overlap ?? 'allow'] };
  if (change !== 'backfill' || !from || !to) return { scheduleId };
  const range = backfillRange({ from, to, overlap });
  return { scheduleId, ...range, start: range.start.toISOString(), end: range.end.toISOString() };
}
