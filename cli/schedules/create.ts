import { Command } from 'commander';
import type { ScheduleDetails, ScheduleRequest } from '../../client/use-cases/schedules/schedule-types.ts';
import { strictOptions } from '../input/job-options.ts';
import { type Labels, oneMoreLabel } from '../input/labels.ts';
import { readManifests } from '../input/manifests.ts';
import { seconds, someSeconds } from '../input/parse.ts';
import { timeAt } from '../input/time.ts';
import { type Format, note, outputOption, print } from '../print/output.ts';
import { scheduleText } from '../print/schedule-text.ts';
import { withClient } from '../session/session.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';
import { OVERLAP_HELP, overlapOption } from './schedule-arguments.ts';

/** Durations in seconds, as people give them. */
interface CreateFlags extends Omit<ScheduleRequest, 'every' | 'offset' | 'jitter' | 'catchUp' | 'labels'> {
  readonly every?: number;
  readonly offset?: number;
  readonly jitter?: number;
  readonly catchUp?: number;
  readonly label?: Labels;
  readonly output: Format;
}

const EXAMPLES = [
  "schedule create nightly.yaml --cron '0 2 * * *' --time-zone Europe/Berlin",
  'schedule create job.yaml --name hourly --every 1h --offset 15m --overlap queue-one',
  'schedule create cron-job.yaml',
  "schedule create job.yaml --cron '@weekly' --pause-on-failure --note 'ask ana before changing'",
];

export const scheduleCreateCommand = (): Command =>
  withExamples(strictOptions(new Command('create')), EXAMPLES, OVERLAP_HELP)
    .description('create a schedule that starts the job of a manifest')
    .argument('<file>', 'a YAML or JSON file with one job, or a CronJob of Volcano; - reads standard input')
    .option('--name <name>', 'name of the schedule (default: that of the manifest)')
    .option('--cron <expression>', 'when jobs are due, as in crontab; repeatable', oneMore)
    .option('--every <duration>', 'how often jobs are due, e.g. 6h', someSeconds)
    .option('--offset <duration>', 'shifts --every, e.g. 15m', seconds)
    .option('--time-zone <zone>', 'zone of --cron, e.g. Europe/Berlin (default: UTC)')
    .option('--jitter <duration>', 'delay each start by a random time up to this', seconds)
    .addOption(overlapOption('skip'))
    .option(
      '--catch-up <duration>',
      'how late Temporal may make up for a missed start (default: 1h)',
      someSeconds,
    )
    .option('--start-at <time>', 'nothing is due before this', timeAt)
    .option('--end-at <time>', 'nothing is due after this', timeAt)
    .option('--pause-on-failure', 'pause the schedule when one of its jobs has failed')
    .option('--paused', 'create it paused')
    .option('--note <text>', 'a note that is shown with the schedule')
    .option('--label <key=value>', 'add a label to the jobs; repeatable', oneMoreLabel)
    .addOption(outputOption())
    .action(async (file: string, flags: CreateFlags, command: Command) => {
      const { jobs } = await readManifests([file], command);
      if (jobs.length !== 1) throw new UsageError(`${file}: expected one job, got ${jobs.length}.`);
      const { scheduleWarnings } = await import('../../client/use-cases/schedules/manifest-of-schedule.ts');
      for (const text of scheduleWarnings(jobs[0]!.value as object)) note(`warning: ${text}`);
      await withClient(command, async ({ client }) => {
        const created = await client.schedules.create(jobs[0]!.value as object, scheduleRequest(flags));
        if (isNeverDue(created)) note(NEVER_DUE);
        await print(created, flags.output, () => scheduleText(created));
      });
    });

/** Temporal also takes days that do not exist, e.g. 31 February. */
const isNeverDue = ({ nextRuns, paused }: ScheduleDetails): boolean => nextRuns.length === 0 && !paused;

const NEVER_DUE =
  'warning: the schedule has no next time, so it starts no job. Check its --cron, --start-at and --end-at, or delete it.';

const oneMore = (text: string, before: readonly string[] = []) => [...before, text];

function scheduleRequest({
  every,
  offset,
  jitter,
  catchUp,
  label,
  output: _,
  ...request
}: CreateFlags): ScheduleRequest {
  const ms = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000);
  const times = { every: ms(every), offset: ms(offset), jitter: ms(jitter), catchUp: ms(catchUp) };
  return { ...request, ...times, labels: label };
}
