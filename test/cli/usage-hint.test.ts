import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../cli/main.ts';
import { isOf, SLIPS } from '../../cli/usage-hint.ts';
import { commandLine } from './in-process.ts';

let commands: readonly Command[];
beforeAll(async () => {
  const everyOf = (command: Command): Command[] => [command, ...command.commands.flatMap(everyOf)];
  commands = everyOf(await createProgram(['sandbox'])).filter(({ parent }) => parent);
});

const flagsOf = (command: Command | null): string[] =>
  command
    ? [
        ...command.options.flatMap(({ short, long }) => [String(short), String(long)]),
        ...flagsOf(command.parent),
      ]
    : [];

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';

const rows = SLIPS.map((slip) => ({
  ...slip,
  title: `${slip.options?.join(' ') ?? 'words too many'} ${slip.of?.join(', ') ?? ''}`,
}));

describe('each slip', () => {
  it.each(rows)('$title: is none that a command accepts, and there is a command for it', (slip) => {
    const of = commands.filter((command) => isOf(slip, command));
    expect(of.length).toBeGreaterThan(0);
    for (const option of slip.options ?? [])
      expect(of.filter((command) => !flagsOf(command).includes(option)).map(pathOf)).not.toEqual([]);
    for (const name of slip.of ?? []) expect(commands.map(pathOf)).toContain(name);
  });

  it.each(rows)('$title: names only options that are there', (slip) => {
    const here = slip.instead.replace(/signalbox .*/, '');
    const named = here.match(/(?<=^| )--?[a-z][\w-]*/g) ?? [];
    for (const command of commands.filter((one) => isOf(slip, one)))
      for (const flag of named) expect(flagsOf(command)).toContain(flag);
  });
});

describe('a misspelt value gets the one that is near', () => {
  it.each([
    [['list', '--phase', 'runing'], 'Did you mean Running?'],
    [['list', '--phase', 'failed,pendng'], 'Did you mean Failed, Pending?'],
    [['list', '--reason', 'nodelst'], 'Did you mean NodeLost?'],
    [['list', '--kind', 'pytorchjb'], 'did you mean PyTorchJob?'],
    [['get', 'x', '-o', 'jsno'], 'Did you mean json?'],
    [['completion', 'fihs'], 'Did you mean fish?'],
  ])('%j', async (args, sentence) => {
    const { code, stderr } = await commandLine(args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });

  it('and none if none is near', async () => {
    const { code, stderr } = await commandLine(['list', '--phase', 'xyz']);
    expect(stderr).toMatch(/Expected one of Pending/);
    expect(stderr).not.toMatch(/did you mean/i);
    expect(code).toBe(2);
  });
});

describe('the message of a slip', () => {
  it.each([
    [['history', 'x', '--run', 'y'], 'Instead: NAME@RUN. All options: signalbox history --help'],
    [['stop', 'x', '--reason', 'y'], 'Instead: --why TEXT. All options: signalbox stop --help'],
    [['list', '--status', 'failed'], 'Instead: --phase PHASE. All options: signalbox list --help'],
    [['list', 'train'], 'Instead: get NAME, or list with -l, --phase or --kind. All options'],
    [['list', '--user', 'ana'], 'Instead: --submitted-by USER.'],
    [['get', 'x', '--json'], 'Instead: -o FORMAT, e.g. -o json.'],
    [['-o', 'json', 'submit', 'job.yaml'], 'All options: signalbox --help'],
    [['apply', 'job.yaml'], 'Instead: apply -f FILE.'],
    [['sweep', 'job.yaml', '--grid', 'lr=1'], 'Instead: --set NAME=VALUES.'],
    [['sweep', 'job.yaml', '--parallel', '2'], 'Instead: --at-most NUMBER.'],
    [['submit', 'job.yaml', '--env', 'lr=1'], 'Instead: the manifest, or signalbox rerun NAME --set'],
    [['schedule', 'create', 'nightly', 'job.yaml'], 'Instead: schedule create FILE --name NAME.'],
  ])('%j', async (args, sentence) => {
    const { code, stderr } = await commandLine(args);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('Did you mean');
    expect(code).toBe(2);
  });
});
