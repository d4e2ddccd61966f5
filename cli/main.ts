import { type Command, CommanderError, Option } from 'commander';
import { COMMANDS } from './command-table.ts';
import { candidatesCommand } from './commands/candidates.ts';
import { workerProcessCommand } from './commands/worker-process.ts';
import { namespaceOption } from './input/job-options.ts';
import { otherToolsWords } from './other-tools-words.ts';
import { reportError } from './print/report-error.ts';
import { settingOptions } from './settings/setting-options.ts';
import { completedBy } from './shell/completed-by.ts';
import { exitCodeTable, exitNow, exitWith } from './shell/exit-codes.ts';
import { ownVersion } from './shell/own-version.ts';
import { RootCommand } from './shell/root-command.ts';
import { withUsageHint } from './usage-hint.ts';

/** Runs the command line and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = await createProgram(argv);
  exitQuietlyOnClosedPipe();
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      return exitWith(thrown.exitCode === 0 ? 'ok' : 'usage');
    }
    exitWith(await reportError(thrown, program.opts<{ debug?: boolean }>()));
  }
}

export async function createProgram(argv: readonly string[]): Promise<Command> {
  const program = new RootCommand('signalbox')
    .description('ML training jobs on Kubernetes as durable state machines')
    .version(ownVersion(), '-V, --version')
    .addOption(namespaceOption())
    .addOption(
      completedBy(
        'contexts',
        new Option('--context <name>', 'context in the configuration file: signalbox context'),
      ),
    );
  settingOptions(program, OF_ALL_COMMANDS)
    .option('--debug', 'print the stack of an error')
    .showSuggestionAfterError()
    .addHelpText('after', `\nExit codes:\n${exitCodeTable()}\n\nSettings: signalbox config`);
  for (const create of COMMANDS) program.addCommand(await create(argv));
  program.addCommand(candidatesCommand(), { hidden: true });
  program.addCommand(workerProcessCommand(), { hidden: true });
  for (const command of otherToolsWords()) program.addCommand(command, { hidden: true });
  for (const command of everyCommand(program)) {
    if (command !== program && !command.commands.length) pointToExitCodes(command);
    command.configureOutput({ outputError: (text, write) => write(withUsageHint(text, command)) });
    command.exitOverride().configureHelp({ showGlobalOptions: readsSettings(command) });
  }
  return program.separatesOptions();
}

const OF_ALL_COMMANDS = [
  ...(['temporalAddress', 'temporalNamespace', 'kubeconfig', 'kubeContext'] as const),
  ...(['taskQueue', 'logLevel'] as const),
];

/** The sandbox has settings of its own. */
const readsSettings = (command: Command): boolean =>
  command.parent !== null && command.parent.name() !== 'sandbox' && command.name() !== 'sandbox';

/** `submit` prints the table itself; other commands may add what is special about theirs. */
function pointToExitCodes(command: Command): void {
  if (command.name() !== 'submit') command.addHelpText('after', '\nExit codes: signalbox --help');
}

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

/** `signalbox list | head` closes the pipe early, which is not an error. */
function exitQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    exitNow('ok');
  });
}
