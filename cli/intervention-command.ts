import { Command } from 'commander';
import { currentUser } from '../client/current-user.ts';
import type { JobHandle } from '../client/job-handle.ts';
import type { Intervention } from '../contracts/messages.ts';
import { aboutJob } from './input/job-options.ts';
import { type Format, outputOption, print } from './print/output.ts';
import { selectedJob, withClient } from './session.ts';

/** What a command requests of a job. */
export interface InterventionCall {
  /** Resolves when the job has accepted the request, or has already ended. */
  readonly ask: (job: JobHandle, who: Intervention) => Promise<void> | Promise<'requested' | 'already-ended'>;
  /** Printed when the job has accepted the request. */
  readonly sentence: string;
  /** Prints the result instead of `words`. */
  readonly report?: (job: JobHandle) => Promise<void>;
}

interface Described {
  readonly description: string;
  /** Without the program name. */
  readonly example: string;
  /** Printed below the options. */
  readonly help?: string;
  /** Adds arguments and options of the command. */
  readonly shape?: (command: Command) => Command;
  /** Throws `UsageError` for invalid arguments, before any server is contacted. */
  readonly call: (command: Command) => InterventionCall | Promise<InterventionCall>;
}

/** Creates a command that sends a request to a job and records user and reason in its history. */
export function interventionCommand(verb: string, described: Described): Command {
  const { description, example, help, shape = (command) => command, call } = described;
  const command = shape(aboutJob(new Command(verb)));
  return command
    .description(description)
    .option('--why <text>', 'the reason, recorded with the request')
    .addOption(outputOption())
    .addHelpText('after', `${help ? `\n${help}\n` : ''}\nExample:\n  signalbox ${example}`)
    .action(async () => askFor(await call(command), command));
}

async function askFor({ ask, sentence, report }: InterventionCall, command: Command): Promise<void> {
  const { why, output } = command.opts<{ why?: string; output: Format }>();
  const selected = selectedJob(command.args[0], command);
  await withClient(command, async ({ client }) => {
    const job = await client.find(selected);
    const outcome = (await ask(job, { by: currentUser(), why })) ?? 'requested';
    if (report) return report(job);
    const text = outcome === 'requested' ? sentence : 'has already ended';
    await print({ workflowId: job.workflowId, outcome }, output, () => `${job.workflowId}: ${text}`);
  });
}
