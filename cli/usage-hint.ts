import type { Command } from 'commander';

/** Words for options that people know from elsewhere. */
const INSTEAD: Readonly<Record<string, string>> = {
  '--policy': '-f FILE or --set PATH=VALUE',
  '--timeout': 'timeout 1h signalbox …, after which the job continues',
  '--reason': '--why TEXT',
  '--message': '--why TEXT',
};

/** Adds to an error of commander what to type, or where the options are. */
export function withUsageHint(text: string, command: Command): string {
  const option = /unknown option '(--?[\w-]+)/.exec(text)?.[1];
  if (text.includes('Did you mean') || (option === undefined && !text.includes('too many arguments')))
    return text;
  const instead = INSTEAD[option ?? ''];
  const help = `signalbox ${pathOf(command)} --help`;
  return `${text}${instead ? `Instead: ${instead}. ` : ''}All options: ${help}\n`;
}

const pathOf = (command: Command): string =>
  [...(command.parent?.parent ? [pathOf(command.parent)] : []), command.name()].join(' ');
