import { Command } from 'commander';
import type { JobSchedules } from '../../client/handles/job-schedules.ts';
import type { ScheduleSelector } from '../../client/use-cases/schedules/schedule-types.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import { withClient } from '../session/session.ts';
import { withExamples } from '../shell/help-text.ts';
import { aboutSchedule, selectorOf } from './schedule-arguments.ts';

export const schedulePauseCommand = (): Command =>
  withWhy(
    changing('pause', {
      description: 'start no jobs until it is unpaused; running jobs continue',
      examples: ['schedule pause nightly --why maintenance'],
      done: 'paused',
      change: (schedules, schedule, { why }) => schedules.pause(schedule, { why }),
    }),
  );

export const scheduleUnpauseCommand = (): Command =>
  withWhy(
    changing('unpause', {
      description: 'start jobs again',
      examples: ['schedule unpause nightly'],
      done: 'unpaused',
      change: (schedules, schedule, { why }) => schedules.unpause(schedule, { why }),
    }),
  );

export const scheduleDeleteCommand = (): Command =>
  changing('delete', {
    description: 'delete the schedule; running jobs continue',
    examples: ['schedule delete nightly'],
    done: 'deleted',
    change: (schedules, schedule) => schedules.delete(schedule),
  });

interface Change {
  readonly description: string;
  readonly examples: readonly string[];
  /** Said when it is done. */
  readonly done: string;
  readonly change: (
    schedules: JobSchedules,
    schedule: ScheduleSelector,
    flags: { readonly why?: string },
  ) => Promise<void>;
}

const withWhy = (command: Command): Command =>
  command.option('--why <text>', 'the reason, kept as the schedule’s note');

const changing = (verb: string, { description, examples, done, change }: Change): Command =>
  withExamples(aboutSchedule(new Command(verb)), examples)
    .description(description)
    .addOption(outputOption())
    .action(async (name: string, flags: { why?: string; output: Format }, command: Command) => {
      await withClient(command, async ({ client }) => {
        await change(client.schedules, selectorOf(name), flags);
        await print({ schedule: name, result: done }, flags.output, () => `schedule ${name} ${done}`);
      });
    });
