import type { Command } from 'commander';

/** Words for options that people know from elsewhere, or from other commands. */
const INSTEAD: Readonly<Record<string, string>> = {
  '--name': 'metadata.name in the manifest',
  '--run': 'NAME@RUN',
  '--run-id': 'NAME@RUN',
  '--policy': '-f FILE or --set PATH=VALUE',
  '--timeout': 'timeout 1h signalbox …, after which the job continues',
  '--reason': '--why TEXT',
  '--message': '--why TEXT',
};

/** By command. */
const OF_TOO_MUCH: Readonly<Record<string, string>> = {
  'schedule create': 'schedule create FILE --name NAME',
};

/** Adds to an error of commander what to type, or where the options are. */
export function withUsageHint(text: string, command: Command): string {
  const option = /unknown option '(--?[\w-]+)/.exec(text)?.[1];
  const isTooMuch = text.includes('too many arguments');
  const path = pathOf(command);
  const instead = isTooMuch ? OF_TOO_MUCH[path] : INSTEAD[option ?? ''];
  if (!instead && (text.includes('Did you mean') || (option === undefined && !isTooMuch))) return text;
  // A name that is spelt alike means something else.
  const error = instead ? text.replace(/\n\(Did you mean [^)]*\)/, '') : text;
  return `${error}${instead ? `Instead: ${instead}. ` : ''}All options: signalbox ${path} --help\n`;
}

const pathOf = (command: Command): string =>
  [...(command.parent?.parent ? [pathOf(command.parent)] : []), command.name()].join(' ');
