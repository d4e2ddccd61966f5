import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Command, Option } from 'commander';
import { createProgram } from '../../cli/main.ts';

/** A command and the one above it may have options of the same name. Each has what is written after its own name. */

let program: Command;
beforeAll(async () => {
  program = await freshProgram();
});

const everyCommand = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap((each) => everyCommand(each)),
];

/** `sandbox` and `completion` make the program load the commands of the sandbox. */
async function freshProgram(): Promise<Command> {
  const created = await createProgram(['sandbox', 'completion']);
  for (const command of everyCommand(created)) {
    for (const option of command.options) {
      option.parseArg = undefined;
      option.argChoices = undefined;
      option.makeOptionMandatory(false).conflicts([]);
    }
  }
  return created;
}

const pathOf = (command: Command): readonly string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : [];

const at = (root: Command, path: readonly string[]): Command =>
  path.reduce((command, name) => command.commands.find((each) => each.name() === name)!, root);

/** Runs a command without its action, with one option after its arguments. */
async function parsed(path: readonly string[], { long, required, optional }: Option): Promise<Command> {
  const root = await freshProgram();
  const command = at(root, path);
  command.action(() => undefined);
  const operands = command.registeredArguments.filter((argument) => argument.required).map(() => 'x');
  for (const argument of command.registeredArguments) argument.parseArg = undefined;
  for (const argument of command.registeredArguments) argument.argChoices = undefined;
  await root.parseAsync([...path, ...operands, long!, ...(required || optional ? ['given'] : [])], {
    from: 'user',
  });
  return command;
}

const expectedOf = ({ required, optional, negate }: Option) => (required || optional ? 'given' : !negate);

const nested = () => everyCommand(program).filter((command) => command.parent?.parent);
const leaves = (commands: readonly Command[]) => commands.filter(({ commands: below }) => below.length === 0);

describe('a command below another one', () => {
  it('has its own options, also those that the command above has, too', async () => {
    let shared = 0;
    for (const command of nested()) {
      for (const option of command.options) {
        if (command.parent!.options.some(({ long }) => long === option.long)) shared += 1;
        const path = pathOf(command);
        const own = (await parsed(path, option)).opts()[option.attributeName()];
        expect({ path, option: option.long, own }).toEqual({
          ...{ path, option: option.long },
          own: expectedOf(option),
        });
      }
    }
    expect(shared).toBeGreaterThan(5);
  });

  it('has the options of the program', async () => {
    const globals = program.options.filter(({ long }) => long !== '--version');
    expect(globals.length).toBeGreaterThan(5);
    for (const command of leaves(nested())) {
      for (const option of globals) {
        const path = pathOf(command);
        const all = (await parsed(path, option)).optsWithGlobals<Record<string, unknown>>();
        const value = all[option.attributeName()];
        expect({ path, option: option.long, value }).toEqual({
          ...{ path, option: option.long },
          value: expectedOf(option),
        });
      }
    }
  });
});
