import { Command } from 'commander';
import type { OverlapPolicy } from '../../client/use-cases/schedules/schedule-types.ts';
import { timeAt } from '../input/time.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import { withClient } from '../session/session.ts';
import { withExamples } from '../shell/help-text.ts';
import { aboutSchedule, OVERLAP_HELP, overlapOption, selectorOf } from './schedule-arguments.ts';

interface TriggerFlags {
  readonly overlap: OverlapPolicy;
  readonly output: Format;
}

interface BackfillFlags extends TriggerFlags {
  readonly from: Date;
  readonly to: Date;
}

export const scheduleTriggerCommand = (): Command =>
  withExamples(
    aboutSchedule(new Command('trigger')),
    ['schedule trigger nightly', 'schedule trigger nightly --overlap skip'],
    OVERLAP_HELP,
  )
    .description('start a job now, also if the schedule is paused')
    .addOption(overlapOption('allow'))
    .addOption(outputOption())
    .action(async (name: string, { overlap, output }: TriggerFlags, command: Command) => {
      await withClient(command, async ({ client }) => {
        await client.schedules.trigger(selectorOf(name), { overlap });
        await print({ schedule: name, result: 'triggered' }, output, () => `schedule ${name} triggered`);
      });
    });

export const scheduleBackfillCommand = (): Command =>
  withExamples(
    aboutSchedule(new Command('backfill')),
    [
      'schedule backfill nightly --from 2026-11-20 --to 2026-11-22',
      'schedule backfill nightly --from 2026-11-20T00:00:00Z --to 2026-11-22T00:00:00Z --overlap allow',
    ],
    OVERLAP_HELP,
  )
    .description('start the jobs that were due in a time that has passed')
    .requiredOption('--from <time>', 'the first time', timeAt)
    .requiredOption('--to <time>', 'the last time', timeAt)
    .addOption(overlapOption('queue-all'))
    .addOption(outputOption())
    .action(async (name: string, { output, ...request }: BackfillFlags, command: Command) => {
      await withClient(command, async ({ client }) => {
        await client.schedules.backfill(selectorOf(name), request);
        const sentence = `schedule ${name}: jobs of ${request.from.toISOString()} to ${request.to.toISOString()} requested`;
        await print({ schedule: name, result: 'requested' }, output, () => sentence);
      });
    });
