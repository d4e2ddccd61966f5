import { Command } from 'commander';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { RequestKind } from '../../client/handles/interventions.ts';
import type { Intervention, Phase } from '../../contracts/types.ts';
import { aboutJob } from '../input/job-options.ts';
import { note, outputOption } from '../print/output.ts';
import { type Session, withClient } from '../session/session.ts';
import { withExamples } from '../shell/help-text.ts';
import { type AskOptions, askAll, askOne, type InterventionCall, type Target } from './ask-jobs.ts';
import { chosenJob, findJob, givenNameOf } from './job-choice.ts';
import { type JobSelection, liveJobs, selectingJobs, selectionOfJobs } from './job-selection.ts';

interface Described {
  /** Without the program name. */
  readonly examples: readonly string[];
  /** Of the command alone; default: what the request says of itself. */
  readonly description?: string;
  readonly help?: string;
  /** Adds arguments and options of the command. */
  readonly shape?: (command: Command) => Command;
  /** Throws `UsageError` for invalid arguments, before any server is contacted. */
  readonly call: (command: Command) => CommandCall | Promise<CommandCall>;
  /** A selector chooses those jobs whose phase the request is for. */
  readonly takesMany?: boolean;
}

interface CommandCall extends Omit<InterventionCall, 'ask'> {
  /** What the request has beside who and why. */
  readonly fields?: object;
}

/** Creates the command of a request, which records user and reason in the histories of jobs. */
export function interventionCommand<R extends Intervention>(
  kind: RequestKind<R>,
  described: Described,
): Command {
  const { examples, shape = (command) => command, call, takesMany = false } = described;
  const { description = kind.description, help = kind.help } = described;
  const selects = takesMany ? (kind.isFor ?? (() => true)) : undefined;
  const command = shape((selects ? selectingJobs : aboutJob)(new Command(kind.command)));
  return withExamples(command, examples, help)
    .description(description)
    .option('--why <text>', 'the reason, recorded with the request')
    .addOption(outputOption('name'))
    .action(async () => {
      const { fields, ...answering } = await call(command);
      const ask: InterventionCall['ask'] = (job, who) => kind.ask(job, { ...who, ...fields } as R);
      const asked = { ...answering, ask };
      if (selects) return askSelected(asked, command, selects);
      const chosen = chosenJob(command.args[0], command);
      await withClient(command, async ({ client }) =>
        askOne(await findJob(client, chosen), asked, command.opts<AskOptions>()),
      );
    });
}

async function askSelected(
  call: InterventionCall,
  command: Command,
  selects: (phase: Phase) => boolean,
): Promise<void> {
  const selection = await selectionOfJobs(command);
  await withClient(command, async (session) => {
    if ('named' in selection && selection.named.length === 1)
      return askOne(await findJob(session.client, selection.named[0]!), call, command.opts<AskOptions>());
    const targets = await targetsOf(session, selection, selects);
    if (targets.length === 0) return note('No live job matches; nothing was requested.');
    await askAll(targets, call, command.opts<AskOptions>());
  });
}

async function targetsOf(
  { client, settings }: Session,
  selection: JobSelection,
  selects: (phase: Phase) => boolean,
): Promise<Target[]> {
  if ('named' in selection) return selection.named.map((chosen) => named(client, chosen));
  const live = await liveJobs(client, selection.selector, settings);
  return live
    .filter(({ phase }) => selects(phase))
    .map(({ job }) => ({ name: job.workflowId, find: async () => job }));
}

const named = (client: SignalboxClient, chosen: Parameters<typeof givenNameOf>[0]): Target => ({
  name: givenNameOf(chosen),
  find: () => findJob(client, chosen),
});
