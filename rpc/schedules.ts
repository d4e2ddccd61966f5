import { planSchedule, planScheduleChange } from '../client/use-cases/schedules/plan-schedule.ts';
import type { ScheduleSelector } from '../client/use-cases/schedules/schedule-types.ts';
import { describeSchedule, listSchedules } from '../client/use-cases/schedules/schedules.ts';
import type { RpcArguments } from '../contracts/schemas/rpc.ts';
import { missingArgument } from './checked-arguments.ts';
import { pagedAnswer, wholeAnswer } from './paging.ts';
import type { Answers } from './rpc-call.ts';

/** Answers about schedules; a client itself creates and changes them, so that Temporal knows the real caller. */
export const scheduleAnswers = {
  async schedules({ ports, cursor }, filter) {
    const command = 'signalbox schedule list -o json';
    const keyOf = ({ scheduleId }: { readonly scheduleId: string }) => scheduleId;
    return pagedAnswer(listSchedules(ports, filter), { cursor, keyOf, command });
  },
  async schedule({ ports, signal }, given) {
    const details = await describeSchedule({ ports, schedule: selectorOf(given) }, { signal });
    return wholeAnswer(details, 'signalbox schedule get -o json');
  },
  async planSchedule({ ports }, { manifest, namespace = ports.namespace, submittedBy, ...given }) {
    const { startAt, endAt, ...request } = given;
    const times = { startAt: dateOf(startAt), endAt: dateOf(endAt) };
    const defaults = { namespace, taskQueue: ports.taskQueue, submittedBy };
    return wholeAnswer(
      planSchedule(manifest, { ...request, ...times }, defaults),
      'signalbox schedule create',
    );
  },
  async planScheduleChange({ ports, signal }, given) {
    const { change, why, overlap, submittedBy, from, to } = given;
    if (change === 'backfill' && from === undefined) throw missingArgument('from', 'a time');
    if (change === 'backfill' && to === undefined) throw missingArgument('to', 'a time');
    const asked = { ports: { ...ports, user: submittedBy }, schedule: selectorOf(given) };
    const planned = { change, why, overlap, from: dateOf(from), to: dateOf(to) };
    return wholeAnswer(await planScheduleChange(asked, planned, { signal }), 'signalbox schedule --help');
  },
} satisfies Partial<Answers>;

function selectorOf({ name, namespace, scheduleId }: RpcArguments<'schedule'>): ScheduleSelector {
  if (scheduleId !== undefined) return { scheduleId };
  if (name === undefined) throw missingArgument('name', 'the name of a schedule, or its scheduleId');
  return namespace === undefined ? { name } : { name, namespace };
}

const dateOf = (time: string | undefined): Date | undefined =>
  time === undefined ? undefined : new Date(time);
