import { Command, type ParseOptionsResult } from 'commander';

/**
 * The program: its options may be anywhere. Of the others, what follows the name of a subcommand is the subcommand's, also
 * if the command above has an option of that name.
 */
export class RootCommand extends Command {
  /** Commander would give a command all options before its subcommand is known; here they stay in their order. */
  override parseOptions(argv: string[]): ParseOptionsResult {
    const end = argv.indexOf('--');
    const [words, rest] = end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end)];
    const { operands, unknown } = super.parseOptions(words);
    if (!this.commands.some((command) => command.name() === operands[0])) return super.parseOptions(argv);
    return { operands: operands.slice(0, 1), unknown: [...operands.slice(1), ...unknown, ...rest] };
  }

  /** Called when all commands are there. */
  separatesOptions(): this {
    for (const command of commandsBelow(this)) command.enablePositionalOptions();
    return this;
  }
}

const commandsBelow = (command: Command): readonly Command[] =>
  command.commands.flatMap((each) => [each, ...commandsBelow(each)]);
