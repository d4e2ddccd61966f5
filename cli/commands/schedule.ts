import { Command } from 'commander';
import { scheduleDeleteCommand, schedulePauseCommand, scheduleUnpauseCommand } from '../schedules/change.ts';
import { scheduleCreateCommand } from '../schedules/create.ts';
import { scheduleGetCommand, scheduleListCommand } from '../schedules/read.ts';
import { scheduleBackfillCommand, scheduleTriggerCommand } from '../schedules/runs.ts';
import { withExamples } from '../shell/help-text.ts';

const EXAMPLES = [
  "schedule create nightly.yaml --cron '0 2 * * *' --time-zone Europe/Berlin",
  'schedule list',
  'schedule get nightly',
  'schedule trigger nightly',
  'schedule pause nightly --why maintenance',
];

const NOTES = `Each job of a schedule has the name of the manifest and the time at which it was due, in UTC:
nightly-20261122-043602. \`get\`, \`history\`, \`logs\` and the other commands take that name.`;

/** `signalbox schedule`: jobs that start by the clock. */
export function scheduleCommand(): Command {
  const command = withExamples(new Command('schedule'), EXAMPLES, NOTES).description(
    'start jobs on a schedule, with Temporal’s schedules',
  );
  for (const create of [
    scheduleCreateCommand,
    scheduleListCommand,
    scheduleGetCommand,
    schedulePauseCommand,
    scheduleUnpauseCommand,
    scheduleTriggerCommand,
    scheduleBackfillCommand,
    scheduleDeleteCommand,
  ]) {
    command.addCommand(create());
  }
  return command;
}
