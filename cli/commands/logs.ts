import { Argument, Command, Option } from 'commander';
import type { JobLogOptions } from '../../client/use-cases/pods/log-options.ts';
import { formatDuration } from '../../language/duration.ts';
import { aboutJob } from '../input/job-options.ts';
import { seconds, wholeNumber } from '../input/parse.ts';
import { chosenJob } from '../jobs/job-choice.ts';
import { findJobOrPod } from '../jobs/job-of-pod.ts';
import { openInConsole, type WebFlags, webOption } from '../jobs/web.ts';
import { writeLog } from '../print/log-text.ts';
import { colours, note } from '../print/output.ts';
import { withClient } from '../session/session.ts';
import { completedBy } from '../shell/completed-by.ts';
import { withExamples } from '../shell/help-text.ts';

interface LogFlags extends Omit<JobLogOptions, 'tailLines' | 'sinceSeconds'>, WebFlags {
  readonly tail?: number;
  readonly since?: number;
  readonly raw?: boolean;
}

const EXAMPLES = [
  'logs train --follow',
  'logs train --tail 20 --since 15m',
  'logs train --rank 3',
  'logs train-worker-2',
  'logs train --role worker --index 3',
  'logs train --all --timestamps',
  'logs train@-1',
];

type Given = [name: string | undefined, pod: string | undefined, flags: LogFlags, command: Command];

const FROM_EVIDENCE =
  'The pods are gone; these are the last lines of those that failed (signalbox evidence).';

const withoutLines = (since: number | undefined): string =>
  since === undefined
    ? 'The program has written no line. One that runs may hold its lines back: python -u writes each at once.'
    : `The program has written no line for ${formatDuration(since * 1000)}.`;

export const logsCommand = (): Command =>
  withExamples(webOption(aboutJob(new Command('logs'))), EXAMPLES)
    .addArgument(
      completedBy('pods', new Argument('[pod]', 'as --pod; a pod may also stand alone, without its job')),
    )
    .description('print the log of a job’s rank 0, or of the chosen pods')
    .option('-f, --follow', 'wait for pods to start, continue through restarts, end with the job')
    .option('--role <role>', 'pods of this role')
    .option('--index <number>', 'pods of this replica index', wholeNumber)
    .option('--rank <number>', 'the pod with this rank', wholeNumber)
    .addOption(completedBy('pods', new Option('--pod <name>', 'this pod, also as a second argument')))
    .option('--all', 'all pods; each line begins with its pod’s name')
    .option('-c, --container <name>', 'this container instead of the one that trains')
    .option('-p, --previous', 'the run before the last in-place restart')
    .option('--tail <lines>', 'only this many lines from the end', wholeNumber)
    .option('--since <time>', 'only lines newer than this, e.g. 15m', seconds)
    .option('--timestamps', 'each line begins with its time')
    .option('--raw', 'as the programs wrote it; by default a terminal gets only colours from them')
    .action(async (...[name, second, { tail, since, web, ...flags }, command]: Given) => {
      const asked = chosenJob(name, command);
      if (web) return openInConsole([asked], command, { path: '/logs' });
      await withClient(command, async ({ client }) => {
        const { job, pod = second ?? flags.pod } = await findJobOrPod(client, asked);
        const options = { ...flags, pod };
        const isOne = !options.all && options.role === undefined && options.index === undefined;
        let count = 0;
        let isFromEvidence = false;
        for await (const { pod, text, from } of job.logs({
          ...options,
          tailLines: tail,
          sinceSeconds: since,
        })) {
          if (from && !isFromEvidence) note(FROM_EVIDENCE);
          count++;
          isFromEvidence ||= from !== undefined;
          const prefix = isOne && !from ? '' : `${colours.dim(pod)} `;
          writeLog(text, { prefix, raw: options.raw });
        }
        if (count === 0 && tail !== 0) note(withoutLines(since));
      });
    });
