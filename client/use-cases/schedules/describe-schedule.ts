import {
  type ScheduleSummary as ListedSchedule,
  type ScheduleDescription,
  ScheduleOverlapPolicy,
  type ScheduleSpecDescription,
} from '@temporalio/client';
import { MEMO } from '../../../contracts/messages.ts';
import { formatDuration } from '../../../language/duration.ts';
import { isFields } from '../../../language/fields.ts';
import type { OverlapPolicy, ScheduleDetails, ScheduledRun, ScheduleSummary } from './schedule-types.ts';

/** Temporal's name for each policy. TERMINATE_OTHER is not among them: it leaves the pods of a job behind. */
export const TEMPORAL_OVERLAP = {
  skip: ScheduleOverlapPolicy.SKIP,
  'queue-one': ScheduleOverlapPolicy.BUFFER_ONE,
  'queue-all': ScheduleOverlapPolicy.BUFFER_ALL,
  'stop-running': ScheduleOverlapPolicy.CANCEL_OTHER,
  allow: ScheduleOverlapPolicy.ALLOW_ALL,
} as const satisfies Record<OverlapPolicy, ScheduleOverlapPolicy>;

function overlapOf(policy: ScheduleOverlapPolicy): ScheduleDetails['overlap'] {
  const found = Object.entries(TEMPORAL_OVERLAP).find(([, name]) => name === policy);
  if (found) return found[0] as OverlapPolicy;
  return policy === ScheduleOverlapPolicy.TERMINATE_OTHER ? 'terminate' : 'skip';
}

/** What both a list and a description of Temporal have. */
type Known = Pick<ListedSchedule, 'scheduleId' | 'spec' | 'memo' | 'state' | 'info'>;

export function scheduleSummary({ scheduleId, spec, memo = {}, state, info }: Known): ScheduleSummary {
  const [namespace, name] = splitId(scheduleId);
  return {
    scheduleId,
    namespace,
    name,
    kind: typeof memo.kind === 'string' ? memo.kind : '',
    when: spec ? whenOf(spec) : [],
    paused: state.paused,
    ...(state.note ? { note: state.note } : {}),
    nextRuns: info.nextActionTimes.map((time) => time.toISOString()),
    lastRuns: info.recentActions
      .map(({ scheduledAt, action }) => ({ dueAt: scheduledAt.toISOString(), ...runOf(action) }))
      .toReversed(),
  };
}

export function scheduleDetails(description: ScheduleDescription): ScheduleDetails {
  const { policies, info, action, memo = {} } = description;
  const [manifest] = action.args ?? [];
  const submittedBy = memo[MEMO.submittedBy];
  const summary = scheduleSummary(description);
  return {
    ...summary,
    kind: summary.kind || (isFields(manifest) ? String(manifest.kind ?? '') : ''),
    overlap: overlapOf(policies.overlap),
    catchUp: policies.catchupWindow,
    pauseOnFailure: policies.pauseOnFailure,
    running: info.runningActions.map(runOf),
    counts: {
      started: info.numActionsTaken,
      skipped: info.numActionsSkippedOverlap,
      missed: info.numActionsMissedCatchupWindow,
    },
    ...(typeof submittedBy === 'string' ? { submittedBy } : {}),
    createdAt: info.createdAt.toISOString(),
    manifest,
  };
}

type Action = ListedSchedule['info']['recentActions'][number]['action'];

const runOf = ({ workflow }: Action): Omit<ScheduledRun, 'dueAt'> => ({
  workflowId: workflow.workflowId,
  runId: workflow.firstExecutionRunId,
});

/** A schedule of another tool may have any id. */
function splitId(scheduleId: string): readonly [namespace: string, name: string] {
  const [, namespace = '', name = scheduleId] = /^([^/]+)\/([^/]+)$/.exec(scheduleId) ?? [];
  return [namespace, name];
}

function whenOf({ calendars = [], intervals = [], timezone }: ScheduleSpecDescription): string[] {
  // Temporal compiles cron expressions, and keeps the text only as a comment, where this client puts it.
  const times = calendars.map(({ comment }) => comment || 'calendar');
  const zone = timezone ? ` (${timezone})` : '';
  return [
    ...times.map((time) => `${time}${zone}`),
    ...intervals.map(
      ({ every, offset }) => `every ${exactly(every)}${offset ? ` + ${exactly(offset)}` : ''}`,
    ),
  ];
}

const exactly = (ms: number): string => formatDuration(ms, { isExact: true });
