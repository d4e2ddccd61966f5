import type { Command } from 'commander';

/** Adds examples, and notes above them, below the options of a command. `examples` are without the program’s name. */
export const withExamples = (command: Command, examples: readonly string[], notes?: string): Command =>
  command.addHelpText('after', () => {
    const name = fullNameOf(command).split(' ')[0];
    const lines = examples.map((example) => `  ${name} ${example}`);
    return `${notes ? `\n${notes}\n` : ''}\nExamples:\n${lines.join('\n')}`;
  });

const fullNameOf = (command: Command): string =>
  command.parent ? `${fullNameOf(command.parent)} ${command.name()}` : command.name();
