import type { ScheduleDetails, ScheduleSummary } from '../../client/use-cases/schedules/schedule-types.ts';
import { formatDuration } from '../../language/duration.ts';
import { fieldsOf } from './field.ts';
import { colours } from './output.ts';
import { formatTable } from './table.ts';
import { withoutMilliseconds } from './times.ts';

export function scheduleTable(schedules: readonly ScheduleSummary[], hasHeadings: boolean): Promise<string> {
  const head = ['NAMESPACE', 'NAME', 'KIND', 'WHEN', 'STATE', 'NEXT', 'LAST'];
  const rows = schedules.map(({ namespace, name, kind, when, paused, nextRuns, lastRuns }) => [
    namespace,
    name,
    kind,
    when.join(', '),
    paused ? 'paused' : 'active',
    nextRuns[0] ? withoutMilliseconds(nextRuns[0]) : '',
    lastRuns[0] ? withoutMilliseconds(lastRuns[0].dueAt) : '',
  ]);
  return formatTable(hasHeadings ? head : undefined, rows);
}

const MOST_SHOWN = 5;

/** Formats a schedule for people. */
export function scheduleText(schedule: ScheduleDetails): string {
  const { scheduleId, kind, when, paused, note, overlap, catchUp, counts, nextRuns, running, lastRuns } =
    schedule;
  const lines = [
    `${colours.bold(`schedule ${scheduleId}`)}  ${paused ? colours.yellow('paused') : colours.cyan('active')}`,
    field('starts', `${kind} jobs`),
    ...when.map((time) => field('when', time)),
    field('overlap', overlap),
    field('catch-up', formatDuration(catchUp, { isExact: true })),
    field('on failure', schedule.pauseOnFailure ? 'pauses' : 'continues'),
    field('note', note),
    field(
      'created',
      [withoutMilliseconds(schedule.createdAt), schedule.submittedBy && `by ${schedule.submittedBy}`]
        .filter(Boolean)
        .join(' '),
    ),
    field('jobs', `${counts.started} started, ${counts.skipped} skipped, ${counts.missed} missed`),
    ...running.map(({ workflowId }) => field('running', workflowId)),
    ...nextRuns.slice(0, MOST_SHOWN).map((time) => field('next', withoutMilliseconds(time))),
    ...lastRuns
      .slice(0, MOST_SHOWN)
      .map(({ dueAt, workflowId }) => field('last', `${withoutMilliseconds(dueAt)} ${workflowId}`)),
  ];
  return lines.filter(Boolean).join('\n');
}

const field = fieldsOf(10);
