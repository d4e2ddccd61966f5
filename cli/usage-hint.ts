import type { Command } from 'commander';
import { nearest } from '../language/did-you-mean.ts';

/** What people type from habit, and what to type instead: the words of kubectl, temporal, other tools, and other commands. */
interface Slip {
  /** Options that a command has not. Without any: words that it does not take, or takes otherwise. */
  readonly options?: readonly string[];
  /** Of these commands; default: of all that have the options in `instead`. */
  readonly of?: readonly string[];
  readonly instead: string;
}

const WITH_FILE = ['submit', 'sweep', 'schedule create', 'validate', 'render'];
const OF_ONE_JOB = [
  ...['get', 'why', 'logs', 'history', 'evidence', 'report', 'scale', 'amend', 'extend-deadline', 'hold'],
  ...['release', 'suspend', 'resume', 'retry-now', 'stop', 'attest'],
];

/** The first row that fits is said. */
export const SLIPS: readonly Slip[] = [
  {
    options: ['--name'],
    of: ['submit', 'apply', 'validate', 'render'],
    instead: 'metadata.name in the manifest',
  },
  { options: ['--name', '--job'], of: OF_ONE_JOB, instead: 'NAME without an option' },
  { options: ['--run-id'], of: ['rerun'], instead: '--run ID, or NAME@RUN' },
  { options: ['--run', '--run-id'], of: [...OF_ONE_JOB, 'diff', 'replay'], instead: 'NAME@RUN' },
  {
    options: ['--policy'],
    of: ['submit', 'apply'],
    instead: 'the annotation signalbox.dev/policy in the manifest',
  },
  { options: ['--policy'], of: ['amend'], instead: '-f FILE or --set PATH=VALUE' },
  {
    options: ['--timeout'],
    of: ['submit', 'sweep', 'rerun', 'get', 'logs', 'stop'],
    instead: 'timeout 1h signalbox …, after which the job continues',
  },
  { options: ['--reason', '--message', '--comment', '--note', '-m'], instead: '--why TEXT' },
  { options: ['--json', '--yaml', '--format'], instead: '-o FORMAT, e.g. -o json' },
  { options: ['--file', '--manifest'], of: ['why', 'apply'], instead: '-f FILE' },
  { options: ['-f', '--file', '--filename', '--manifest'], of: WITH_FILE, instead: 'FILE without an option' },
  { options: ['--status', '--state'], instead: '--phase PHASE' },
  { options: ['--labels'], instead: '--label KEY=VALUE' },
  { options: ['--label', '--labels'], instead: '-l KEY=VALUE' },
  { options: ['--user', '--owner', '--by'], instead: '--submitted-by USER' },
  { options: ['--user', '--owner', '--submitted-by'], instead: '--by USER' },
  {
    options: ['--concurrency', '--parallel', '--parallelism', '--max-parallel', '-j'],
    instead: '--at-most NUMBER',
  },
  {
    options: ['--param', '--params', '--parameter', '--grid', '-e', '-p'],
    of: ['sweep'],
    instead: '--set NAME=VALUES',
  },
  { options: ['--sort-by'], instead: '--sort COLUMN' },
  { options: ['-e', '--param', '--parameter'], instead: '--env NAME=VALUE or --set NAME=VALUE' },
  {
    options: ['--env', '-e', '--set', '--image', '--replicas', '--gpus'],
    of: ['submit'],
    instead: 'the manifest, or signalbox rerun NAME --set NAME=VALUE',
  },
  { options: ['--replicas', '--workers'], of: ['scale'], instead: 'ROLE=NUMBER, e.g. worker=8' },
  { options: ['--lines'], instead: '--tail NUMBER' },
  { options: ['--worker', '--replica'], instead: '--rank NUMBER or --role ROLE' },
  { options: ['--schedule'], instead: '--cron EXPRESSION or --every DURATION' },
  {
    options: ['--force', '--now', '--grace-period'],
    of: ['stop'],
    instead: 'stop NAME, which needs no force',
  },
  { options: ['--address', '--host', '--server'], instead: '--temporal-address ADDRESS' },
  { of: ['schedule create'], instead: 'schedule create FILE --name NAME' },
  { of: ['apply'], instead: 'apply -f FILE' },
  { of: ['list'], instead: 'get NAME, or list with -l, --phase or --kind' },
  { of: ['get', 'history', 'why', 'evidence'], instead: 'one NAME; list shows several jobs' },
  { of: ['rerun'], instead: 'rerun NAME --set NAME=VALUE' },
];

/** Adds to an error of commander what to type, or where the options are. */
export function withUsageHint(text: string, command: Command): string {
  const value = withNearValue(text);
  if (value !== undefined) return value;
  const option = /unknown option '(--?[\w-]+)/.exec(text)?.[1];
  if (option === undefined && !/too many arguments|required option/.test(text)) return text;
  const slip = SLIPS.find(
    (one) => isOf(one, command) && (option ? one.options?.includes(option) : !one.options),
  );
  if (!slip && text.includes('Did you mean')) return text;
  // A name that is spelt alike means something else.
  const error = slip ? text.replace(/\n\(Did you mean [^)]*\)/, '') : text;
  return `${error}${slip ? `Instead: ${slip.instead}. ` : ''}All options: ${['signalbox', ...pathFrom(command)].join(' ')} --help\n`;
}

/** Adds the known value that was probably meant; returns undefined for an error that is of no value of a few. */
function withNearValue(text: string): string | undefined {
  const { given, known } = VALUE_ERROR.exec(text)?.groups ?? {};
  if (given === undefined || known === undefined) return undefined;
  const words = known.split(', ');
  const near = given.split(',').flatMap((word) => nearest(word, words) ?? []);
  return near.length > 0 ? `${text.trimEnd()}\n(Did you mean ${near.join(', ')}?)\n` : text;
}

const VALUE_ERROR =
  /(?:argument|value) '(?<given>[^']+)' is invalid(?: for argument '[^']*')?\. (?:Expected one of|Allowed choices are) (?<known>[^.]+)\./;

/** What it names instead is there. */
export function isOf({ of, instead }: Slip, command: Command): boolean {
  if (of) return of.includes(pathOf(command));
  const named = instead.match(/(?<=^| )--?[a-z][\w-]*/g) ?? [];
  return named.every((flag) => knownTo(command).includes(flag));
}

const knownTo = (command: Command | null): readonly string[] =>
  command
    ? [
        ...command.options.flatMap(({ short, long }) => [short, long].filter((flag) => flag != null)),
        ...knownTo(command.parent),
      ]
    : [];

const pathOf = (command: Command): string => pathFrom(command).join(' ');

/** Without the program's own name. */
const pathFrom = (command: Command): string[] =>
  command.parent ? [...pathFrom(command.parent), command.name()] : [];
