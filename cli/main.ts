import { type Command, CommanderError, Option } from 'commander';
import { hidePrivateKeys } from '../contracts/secrets/hide-in-text.ts';
import { COMMANDS } from './command-table.ts';
import { candidatesCommand } from './commands/candidates.ts';
import { workerProcessCommand } from './commands/worker-process.ts';
import { namespaceOption } from './input/job-options.ts';
import { otherToolsWords } from './other-tools-words.ts';
import { asksForJson, usageErrorData, writeErrorData } from './print/error-data.ts';
import { reportError } from './print/report-error.ts';
import { settingOptions } from './settings/setting-options.ts';
import { completedBy } from './shell/completed-by.ts';
import { exitCodeTable, exitNow, exitWith } from './shell/exit-codes.ts';
import { ownVersion } from './shell/own-version.ts';
import { RootCommand } from './shell/root-command.ts';

/** Runs the command line and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const refusals: Refusal[] = [];
  const program = await createProgram(argv, argv[0], refusals);
  exitQuietlyOnClosedPipe();
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      for (const refusal of refusals) await sayRefusal(refusal, argv);
      return exitWith(thrown.exitCode === 0 ? 'ok' : 'usage');
    }
    const { debug } = program.opts<{ debug?: boolean }>();
    exitWith(await reportError(thrown, { debug, asJson: asksForJson(argv) }));
  }
}

/** What commander says of an invalid command line. */
interface Refusal {
  readonly text: string;
  readonly command: Command;
  readonly write: (text: string) => void;
}

/** Few command lines are invalid, so the hints are loaded only then. */
async function sayRefusal({ text, command, write }: Refusal, argv: readonly string[]): Promise<void> {
  const { withUsageHint } = await import('./usage-hint.ts');
  // It repeats what was typed.
  const error = hidePrivateKeys(withUsageHint(text, command));
  if (asksForJson(argv)) writeErrorData(usageErrorData(error));
  else write(error);
}

/** `only`: the one command that is made, if it is the name of one; by default all. `refusals`: gets what commander says. */
export async function createProgram(
  argv: readonly string[],
  only = '',
  refusals: Refusal[] = [],
): Promise<Command> {
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
  // The script of completion has all.
  const isOne = only !== 'completion' && Object.values(COMMANDS).some((group) => Object.hasOwn(group, only));
  for (const [group, commands] of Object.entries(COMMANDS))
    for (const [name, create] of Object.entries(commands))
      if (!isOne || name === only) program.addCommand((await create(argv)).helpGroup(group));
  if (!isOne) for (const command of hiddenCommands()) program.addCommand(command, { hidden: true });
  for (const command of everyCommand(program)) {
    if (command !== program) pointToGlobalHelp(command);
    command.configureOutput({ outputError: (text, write) => refusals.push({ text, command, write }) });
    command.exitOverride();
  }
  return program.separatesOptions();
}

const hiddenCommands = () => [candidatesCommand(), workerProcessCommand(), ...otherToolsWords()];

const OF_ALL_COMMANDS = [
  ...(['temporalAddress', 'temporalNamespace', 'kubeconfig', 'kubeContext'] as const),
  ...(['taskQueue', 'logLevel'] as const),
];

/** `submit` prints the exit codes itself; other commands may add what is special about theirs. */
function pointToGlobalHelp(command: Command): void {
  if (readsSettings(command)) command.addHelpText('after', `\n${GLOBAL_OPTIONS}`);
  if (command.commands.length === 0 && command.name() !== 'submit')
    command.addHelpText('after', '\nExit codes: signalbox --help');
}

const GLOBAL_OPTIONS =
  'Options of all commands (-n NAMESPACE, --context NAME, --temporal-address ADDRESS, --debug and others): signalbox --help';

/** The sandbox has settings of its own. */
const readsSettings = (command: Command): boolean =>
  command.parent?.name() !== 'sandbox' && command.name() !== 'sandbox';

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

/** `signalbox list | head` closes the pipe early, which is not an error. */
function exitQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    exitNow('ok');
  });
}
