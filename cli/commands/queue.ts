import { Argument, Command } from 'commander';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobLanes } from '../../client/handles/job-lanes.ts';
import type { LanesPorts } from '../../client/use-cases/lanes/ask-lanes.ts';
import type { LaneChange } from '../../client/use-cases/lanes/close-lane.ts';
import type { Intervention } from '../../contracts/types.ts';
import { A_JOB } from '../input/job-options.ts';
import { type AskOptions, askOne } from '../jobs/ask-jobs.ts';
import { chosenJob, findJob } from '../jobs/job-choice.ts';
import { type Format, headingsOption, outputOption, print } from '../print/output.ts';
import { connectedCluster, settingsOf, withClient } from '../session/session.ts';
import { settingOptions } from '../settings/setting-options.ts';
import { completedBy } from '../shell/completed-by.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';

const EXAMPLES = [
  'queue',
  'queue -o json',
  "queue pause research --why 'new drivers until noon'",
  'queue drain research --why maintenance',
  'queue open research',
  "queue move train production --why 'it is urgent'",
  'queue priority train 10',
];

const HELP = `Shows the lanes of the installation: what runs in each, what waits and why, who borrows, and when the next job starts.
It reads the cluster with your own rights. SIGNALBOX_LANES, or --lanes, names the ConfigMap with the lanes (docs/queue.md).`;

interface QueueFlags {
  readonly headers: boolean;
  readonly output: Format;
}

/** `signalbox queue`: what waits in lanes. */
export function queueCommand(): Command {
  const command = aboutLanes(withExamples(new Command('queue'), EXAMPLES, HELP))
    .description(
      'show the lanes that jobs wait in; pause, drain or open one, move a job, change its priority',
    )
    .addOption(headingsOption())
    .addOption(outputOption())
    .action(async ({ headers, output }: QueueFlags, own: Command) => {
      await withLanes(own, async (ports) => {
        const { readLanesAnswer } = await import('../../client/use-cases/lanes/read-lanes-answer.ts');
        const answer = await readLanesAnswer(ports);
        await print(answer, output, async () =>
          (await import('../print/lanes-text.ts')).lanesText(answer, headers),
        );
      });
    });
  for (const part of [pauseCommand, drainCommand, openCommand, moveCommand, priorityCommand])
    command.addCommand(part());
  return command;
}

const aboutLanes = (command: Command): Command => settingOptions(command, ['lanes']);

/** Lanes need no Temporal. The cluster is connected only if it is known where they are. */
async function withLanes(command: Command, work: (ports: LanesPorts) => Promise<void>): Promise<void> {
  const settings = await settingsOf(command);
  let connecting: ReturnType<typeof connectedCluster> | undefined;
  const cluster = () => {
    connecting ??= connectedCluster(settings);
    return connecting;
  };
  try {
    await work({ lanes: settings.lanes, cluster });
  } finally {
    await (await connecting?.catch(() => undefined))?.close();
  }
}

const pauseCommand = () =>
  closing('pause', {
    description: 'start nothing in a lane until it is opened again; what runs goes on',
    as: 'paused',
    done: 'paused',
  });

const drainCommand = () =>
  closing('drain', {
    description: 'start nothing in a lane, to have it empty when what runs has ended',
    as: 'drain',
    done: 'drains',
  });

interface Closing {
  readonly description: string;
  readonly as: 'paused' | 'drain';
  readonly done: string;
}

const aLane = () => new Argument('<lane>', 'the name of a lane');

const closing = (verb: string, { description, as, done }: Closing): Command =>
  aboutLanes(withExamples(new Command(verb), [`queue ${verb} research --why maintenance`]))
    .description(description)
    .addArgument(aLane())
    .requiredOption('--why <text>', 'the reason, which those who wait are told')
    .addOption(outputOption())
    .action(async (lane: string, { why, output }: { why: string; output: Format }, command: Command) => {
      await change(command, { lane, closing: { as, why } });
      await print({ lane, result: done }, output, () => `lane ${lane} ${done}`);
    });

const openCommand = (): Command =>
  aboutLanes(withExamples(new Command('open'), ['queue open research']))
    .description('let jobs of a lane start again')
    .addArgument(aLane())
    .addOption(outputOption())
    .action(async (lane: string, { output }: { output: Format }, command: Command) => {
      await change(command, { lane });
      await print({ lane, result: 'open' }, output, () => `lane ${lane} is open`);
    });

const change = (command: Command, what: LaneChange) =>
  withLanes(command, async (ports) => {
    const { closeLane } = await import('../../client/use-cases/lanes/close-lane.ts');
    await closeLane(ports, what);
  });

const moveCommand = (): Command =>
  amending<string>('move', {
    description: 'move a job that waits to another lane; one that runs keeps what it has',
    argument: aLane(),
    example: "queue move train production --why 'it is urgent'",
    ask: (lanes, { job, value: lane, who }) => lanes.move(job, { ...who, lane }),
    sentence: (lane) => `moved to lane ${lane}`,
  });

const priorityCommand = (): Command =>
  amending<number>('priority', {
    description: 'change the priority of a job in its lane',
    argument: new Argument('<priority>', 'an integer; the larger comes first').argParser(integer),
    example: 'queue priority train 10',
    ask: (lanes, { job, value: priority, who }) => lanes.setPriority(job, { ...who, priority }),
    sentence: (priority) => `has priority ${priority}`,
  });

function integer(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number)) throw new UsageError(`priority: expected an integer, got ${text}`);
  return number;
}

interface Amending<T> {
  readonly description: string;
  readonly argument: Argument;
  readonly example: string;
  readonly ask: (lanes: JobLanes, asked: Asked<T>) => Promise<void>;
  readonly sentence: (value: T) => string;
}

interface Asked<T> {
  readonly job: JobHandle;
  readonly value: T;
  readonly who: Intervention;
}

const amending = <T>(verb: string, { description, argument, example, ask, sentence }: Amending<T>): Command =>
  withExamples(new Command(verb), [example])
    .description(description)
    .addArgument(completedBy('jobs', new Argument('<name>', A_JOB)))
    .addArgument(argument)
    .option('--why <text>', 'the reason, recorded with the request')
    .addOption(outputOption('name'))
    .action(async (name: string, value: T, _flags: unknown, command: Command) => {
      const chosen = chosenJob(name, command);
      await withClient(command, async ({ client }) =>
        askOne(
          await findJob(client, chosen),
          {
            ask: (job, who) => ask(client.lanes, { job, value, who }),
            sentence: sentence(value),
          },
          command.opts<AskOptions>(),
        ),
      );
    });
