import { Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../../../language/duration.ts';
import { keysOf, ownValue } from '../../../language/fields.ts';
import { isOneOf } from '../../../language/one-of.ts';
import { integer } from '../options.ts';
import type { ProgramOptions } from './drill-manifest.ts';
import { DRILL_NODES, type DrillNodesName } from './drill-nodes.ts';
import { FAULTS, type Fault, type FaultName, NOT_SHOWN } from './faults.ts';
import { SETTINGS, type SettingsName, SYSTEMS, type SystemName } from './systems.ts';

export interface RecoveryOptions extends ProgramOptions {
  readonly only: readonly FaultName[];
  readonly nodes: DrillNodesName;
  readonly systems: readonly SystemName[];
  readonly settings: readonly SettingsName[];
  readonly trials: number;
  readonly seed: number;
  readonly capMs: number;
  readonly output: 'text' | 'json';
  /** Path of an SVG file. */
  readonly plot?: string;
}

const FAULT_NAMES = keysOf(FAULTS);
const SYSTEM_NAMES = keysOf(SYSTEMS);
const USUAL: readonly FaultName[] = ['crash', 'hang', 'drain'];

/** Prints help or faults and ends the process where there is nothing to run. */
export function parseRecoveryOptions(argv: readonly string[]): RecoveryOptions {
  const command = new Command('npm run bench:recovery --')
    .description(
      'let one fault happen to a healthy job, and measure when it trains again, in a cluster of its own',
    )
    .addOption(listOption('--only <kinds>', 'which kinds of faults', FAULT_NAMES, USUAL))
    .addOption(
      new Option('--nodes <kind>', 'where the pods run').choices(keysOf(DRILL_NODES)).default('local'),
    )
    .addOption(listOption('--systems <names>', 'which engines, in turns', SYSTEM_NAMES))
    .addOption(listOption('--settings <names>', 'as shipped, and with the best that users can set', SETTINGS))
    .option('--trials <n>', 'faults of each kind for each engine and setting', integer(1, 1_000), 3)
    .option('--seed <n>', 'of when faults come and whom they hit', integer(0, 2 ** 31), 1)
    .option('--cap <duration>', 'a job that does not train by then counts as missed', duration, 900_000)
    .option('--interval <duration>', 'between two checkpoints', duration, 10_000)
    .option('--step <duration>', 'of the program', duration, 200)
    .option('--load <duration>', 'how long a rank reads a checkpoint', duration, 1_000)
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'))
    .option('--plot <file>', 'also draw the trials, as SVG')
    .addHelpText('after', HELP)
    .parse(argv, { from: 'user' });
  const { cap, interval, step, load, ...options } = command.opts<Parsed>();
  for (const name of options.only) {
    const { onlyOn = options.nodes }: Fault = FAULTS[name];
    if (onlyOn !== options.nodes) command.error(`error: ${name} is shown with --nodes ${onlyOn} alone`);
  }
  return {
    ...options,
    capMs: cap,
    stepSeconds: step / 1_000,
    checkpointSteps: Math.max(1, Math.round(interval / step)),
    loadSeconds: load / 1_000,
  };
}

/** Durations are milliseconds. */
type Parsed = Omit<RecoveryOptions, 'capMs' | keyof ProgramOptions> &
  Readonly<Record<'cap' | 'interval' | 'step' | 'load', number>>;

function listOption<T extends string>(flags: string, what: string, all: readonly T[], usual = all): Option {
  const parse = (text: string, before: readonly T[]): readonly T[] => {
    const names = text.split(',').map((name) => known(name, all));
    return before === usual ? names : [...new Set([...before, ...names])];
  };
  return new Option(flags, `${what}, separated by commas; repeatable`)
    .argParser(parse)
    .default(usual, usual.join(','));
}

function known<T extends string>(name: string, all: readonly T[]): T {
  if (isOneOf(all, name)) return name;
  const why = ownValue(NOT_SHOWN, name);
  throw new InvalidArgumentError(
    why ? `${name} cannot be shown here: ${why}` : `expected names of ${all.join(', ')}, got ${name}`,
  );
}

function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms > 0) return ms;
  throw new InvalidArgumentError(`expected a duration such as 10s or 15m, got ${text}`);
}

const rows = (table: Readonly<Record<string, string>>, width: number) =>
  Object.entries(table)
    .map(([name, what]) => `  ${name.padEnd(width)}  ${what}`)
    .join('\n');
const saying = (table: Readonly<Record<string, { readonly what: string }>>) =>
  Object.fromEntries(Object.entries(table).map(([name, { what }]) => [name, what]));
const WIDTH = Math.max(...FAULT_NAMES.map((name) => name.length));

const HELP = `
Kinds of faults:
${rows(saying(FAULTS), WIDTH)}

Not shown:
${rows(NOT_SHOWN, WIDTH)}

Nodes:
${rows(saying(DRILL_NODES), WIDTH)}

Systems, with the manifests in test/performance/recovery/manifests:
${rows(saying(SYSTEMS), WIDTH)}

A trial: a job of four ranks trains until it has written a checkpoint. At a random moment of the next interval one fault
comes. The trial ends when all ranks have got as far as before, or at the cap. The program's own log decides; docs/worth.md
defines the figures. A system that lacks the part that a kind kills has no trial of it.

Go builds training-operator, JobSet and Trainer, which takes two minutes each the first time.

Examples:
  $ npm run bench:recovery                                            crash, hang and drain
  $ npm run bench:recovery -- --only crash --trials 20 --plot crash.svg
  $ npm run bench:recovery -- --only crash --systems signalbox --trials 1     a minute: does it work at all?
  $ npm run bench:recovery -- --only hang --settings best -o json
  $ npm run bench:recovery -- --nodes real --only crash,node-silent --systems signalbox     as root

Exit code: 0 every trial has a result, also where a job missed the cap; 1 one has none.`;
