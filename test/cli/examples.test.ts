import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../cli/main.ts';
import { TABLES } from '../../record/index/columns.ts';

/** Also those of the sandbox, which are loaded when it is mentioned. */
const program = () => createProgram(['sandbox']);

const leaves = (command: Command): Command[] =>
  command.commands.length > 0 ? visible(command).flatMap(leaves) : [command];
/** Some commands with subcommands can be called, too. */
const everyOf = (command: Command): Command[] => visible(command).flatMap((each) => [each, ...everyOf(each)]);
const visible = (command: Command) =>
  (command.createHelp().visibleCommands(command) as Command[]).filter((each) => each.name() !== 'help');

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';

const commands = leaves(await program());

test('every command has a description of each option', () => {
  const undescribed = commands.flatMap((command) =>
    command.options
      .filter(({ description }) => !description)
      .map(({ flags }) => `${pathOf(command)} ${flags}`),
  );
  expect(undescribed).toEqual([]);
});

describe('the help', () => {
  test.each(commands.map((command) => [pathOf(command), command] as const))(
    'of %s has examples that the command line accepts',
    async (path, command) => {
      const examples = examplesOf(helpOf(command));
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect(await called(wordsOf(example))).toBe(path);
    },
  );

  test.each(commands.map((command) => [pathOf(command), command] as const))(
    'of %s says where the exit codes are',
    (_path, command) => {
      expect(helpOf(command)).toMatch(/Exit codes:/);
    },
  );
});

test('docs/alerts.md gives commands that the command line accepts', async () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'alerts.md'), 'utf8');
  const given = [...page.matchAll(/(?:^ {4}|`)(signalbox [a-z][^`\n]*)/gm)].map(([, line]) => line!);
  expect(given.length).toBeGreaterThan(30);
  for (const line of given) expect(await called(wordsOf(line))).not.toBe('');
});

test('an invalid example is detected', async () => {
  await expect(called(wordsOf('signalbox get train --no-such-option'))).rejects.toThrow('unknown option');
});

test('the help of audit sql has every column', () => {
  const help = helpOf(commands.find((command) => pathOf(command) === 'audit sql')!);
  const columns = Object.values(TABLES).flatMap((table) => Object.keys(table));
  expect(columns.filter((column) => !new RegExp(`^  ${column} `, 'm').test(help))).toEqual([]);
});

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

/** Below `Examples:`, up to an empty line. */
function examplesOf(help: string): string[] {
  const [, block = ''] = /Examples:\n((?: {2}.*\n?)+)/.exec(help) ?? [];
  return block
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The words of the first command of a shell line, without quotes. */
function wordsOf(line: string): string[] {
  const [first = ''] = line.split(/ (?:[<>]|\||&&|\|\|) /);
  return [...first.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

/** Returns the command that a command line calls, without running it; throws if its arguments are wrong. */
async function called([name, ...args]: readonly string[]): Promise<string> {
  expect(name).toBe('signalbox');
  const parsed = await program();
  let path = '';
  for (const command of everyOf(parsed)) {
    command.configureOutput({ writeErr: () => undefined });
    command.action(() => {
      path = pathOf(command);
    });
  }
  await parsed.parseAsync(args, { from: 'user' });
  return path;
}
