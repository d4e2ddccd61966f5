import { capitalised } from '../language/capitalised.ts';
import type { Cause } from './types.ts';

/** How a container ended, as a cause has it. */
type ContainerEnd = Pick<
  Cause,
  'container' | 'exitCode' | 'signal' | 'podReason' | 'memoryLimit' | 'message'
>;

/** What an end means, and what helps. */
export interface EndMeaning {
  readonly says: string;
  /** The container never ran: it has no log. */
  readonly isUnlogged?: true;
  /** The same again would end alike, so that no restart helps. */
  readonly isCertain?: true;
}

/** What a container's own status says of its end. */
interface StatedEnd {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** Returns what to do about a container that could not be started, and so has written nothing; undefined of one that ran. */
export function failedStart(end: StatedEnd | undefined, container?: string): string | undefined {
  const given = end && { ...end, podReason: end.reason, message: end.message ?? '' };
  const meaning = given && meaningOfEnd({ ...given, ...(container ? { container } : {}) });
  return meaning?.isUnlogged ? meaning.says : undefined;
}

/** Returns what is known of how a container ended: Kubernetes' reason says most, then the signal, then the exit code. */
export function meaningOfEnd(end: ContainerEnd): EndMeaning | undefined {
  const { exitCode, podReason = '' } = end;
  const byItsNode = refusalByItsNode(end);
  if (byItsNode) return byItsNode;
  if (Object.hasOwn(INTERRUPTIONS, podReason))
    return {
      says: `The pod ${INTERRUPTIONS[podReason]}: that is no fault of the program.`,
      isUnlogged: true,
    };
  const byReason = Object.hasOwn(REASONS_OF_ENDS, podReason) ? REASONS_OF_ENDS[podReason] : undefined;
  if (byReason) return byReason(end);
  const signal = signalOf(end);
  if (signal !== undefined) return meaningOfSignal(signal, end);
  return exitCode === undefined ? undefined : (EXIT_CODES[exitCode] ?? OWN_CODE)(end);
}

/** Whether Kubernetes itself says how a container ended, so that its log need not be asked. */
export const isCertainEnd = (end: ContainerEnd): boolean =>
  refusalByItsNode(end) !== undefined ||
  Object.hasOwn(INTERRUPTIONS, end.podReason ?? '') ||
  Object.hasOwn(REASONS_OF_ENDS, end.podReason ?? '');

/** Says what helps a pod that the node refuses which its template names, or that is not there. */
function refusalByItsNode({ message }: ContainerEnd): EndMeaning | undefined {
  const [, node, what] = OF_NAMED_NODE.exec(message) ?? [];
  if (node === undefined) return undefined;
  const other =
    what === 'refuses it' ? 'another node' : 'a node that exists (`kubectl get nodes` lists them)';
  return {
    says: `Name ${other} in spec.nodeName of the pod template, which now names ${node}; or remove it, so that a scheduler chooses the node. Then submit the job again.`,
    isUnlogged: true,
    isCertain: true,
  };
}

/** As the watcher words it. */
const OF_NAMED_NODE = /spec\.nodeName of its template names node (\S+), which (does not exist|refuses it)/;

/** A shell, and Kubernetes, report a program that a signal ended as 128 and its number. */
const signalOf = ({ exitCode, signal }: Pick<ContainerEnd, 'exitCode' | 'signal'>): number | undefined =>
  signal ??
  (exitCode !== undefined && exitCode > 128 && exitCode <= 128 + LAST_SIGNAL ? exitCode - 128 : undefined);

const LAST_SIGNAL = 64;

type Meaning = (end: ContainerEnd) => EndMeaning;

const containerOf = ({ container }: ContainerEnd): string =>
  container === undefined ? 'the container' : `container ${container}`;

/** What happened to a pod that was stopped before its program had ended, by Kubernetes' reason. */
export const INTERRUPTIONS: Readonly<Record<string, string>> = {
  Deleted: 'was deleted',
  EvictionByEvictionAPI: 'was evicted',
  Evicted: 'was evicted',
  DeletionByTaintManager: 'was evicted because of a taint on its node',
  PreemptionByScheduler: 'was preempted',
  Preempting: 'was preempted',
  DeletionByPodGC: 'was removed with its node',
  TerminationByKubelet: 'was stopped by its node',
  Terminated: 'was stopped by its node',
  Shutdown: 'was stopped by its node',
  NodeShutdown: 'was stopped by its node',
  NodeLost: 'was lost with its node',
  NodeSick: 'left a node that is not well',
  NodeLeaving: 'left a node that goes away',
};

/** By the reason that Kubernetes gives. */
const REASONS_OF_ENDS: Readonly<Record<string, Meaning>> = {
  OOMKilled: (end) => ({
    says: `${
      end.memoryLimit === undefined
        ? `The kernel killed ${containerOf(end)} for lack of memory: it has no limit of its own, so its node had too little left`
        : `The kernel killed ${containerOf(end)}, which used more memory than its limit of ${end.memoryLimit}`
    }. ${MORE_MEMORY}`,
    isCertain: true,
  }),
  StartError: notStarted,
  ContainerCannotRun: notStarted,
  DeadlineExceeded: () => ({
    says: 'The activeDeadlineSeconds of its pod template were over: raise them there, or remove them.',
    isCertain: true,
  }),
  ContainerStatusUnknown: () => ({ says: 'Its node never said how the container ended: look at the node.' }),
};

const MORE_MEMORY =
  'Raise requests and limits of memory in its template, or let it use less, e.g. by smaller batches or fewer workers that load data.';

/** `exec: "python4": executable file not found in $PATH`, as container runtimes word it. */
const EXEC = /exec: "([^"]+)"/;

function notStarted(end: ContainerEnd): EndMeaning {
  const { message } = end;
  const [, command] = EXEC.exec(message) ?? [];
  const what = command === undefined ? 'the command' : `\`${command}\``;
  const correct = `correct command and args of ${containerOf(end)}`;
  const known = WHY_NOT_STARTED.find(([pattern]) => pattern.test(message));
  const says = known
    ? `${known[1](what)}: ${correct}, or use ${known[2]}.`
    : `${capitalised(containerOf(end))} could not be started: ${correct} as the message says.`;
  return { says, isUnlogged: true, isCertain: true };
}

const WHY_NOT_STARTED: readonly (readonly [
  pattern: RegExp,
  what: (command: string) => string,
  other: string,
])[] = [
  [
    /executable file not found|no such file or directory/i,
    (command) => `The image has no ${command}`,
    'an image that has it',
  ],
  [
    /permission denied/i,
    (command) => `The image has ${command}, but it is not executable`,
    'an image in which it is executable',
  ],
  [
    /exec format error/i,
    (command) => `The node cannot execute ${command}, which is for other processors or has no #! line`,
    'an image for the processors of the node',
  ],
];

interface Signal {
  readonly name: string;
  /** What most often sends it, and what helps. */
  readonly says: (end: ContainerEnd) => string;
}

const NATIVE =
  'Native code failed, e.g. an extension that was built for another version: PYTHONFAULTHANDLER=1 in env shows where in Python';

/** Signals that end programs, by number on Linux. */
const SIGNALS: Readonly<Record<number, Signal>> = {
  1: { name: 'SIGHUP', says: () => 'Its terminal or its parent process has gone.' },
  2: { name: 'SIGINT', says: () => 'Something interrupted it, as Ctrl-C does.' },
  4: {
    name: 'SIGILL',
    says: () => 'The processor lacks an instruction: use a build for the processors of the node.',
  },
  6: {
    name: 'SIGABRT',
    says: () =>
      'The program gave up in native code, e.g. at a failed assertion or a time-out of NCCL, which its last lines name.',
  },
  7: {
    name: 'SIGBUS',
    says: () =>
      'Most often shared memory is full: /dev/shm has 64Mi unless the template mounts an emptyDir of medium Memory there.',
  },
  8: { name: 'SIGFPE', says: () => `${NATIVE}.` },
  9: {
    name: 'SIGKILL',
    says: (end) =>
      `Most often the kernel kills for lack of memory (${limitText(end)}); else a grace period was over, or a liveness probe had failed. ${MORE_MEMORY}`,
  },
  11: { name: 'SIGSEGV', says: () => `${NATIVE}.` },
  13: { name: 'SIGPIPE', says: () => 'Whatever read its output had ended.' },
  15: {
    name: 'SIGTERM',
    says: () =>
      'It was told to stop: by a deletion, a node that shuts down, a failed liveness probe, or another process. A program that handles SIGTERM can write a checkpoint.',
  },
};

const limitText = (end: ContainerEnd): string =>
  `${containerOf(end)} has ${end.memoryLimit === undefined ? 'no limit of its own' : `a limit of ${end.memoryLimit}`}`;

function meaningOfSignal(number: number, end: ContainerEnd): EndMeaning {
  const signal = SIGNALS[number];
  const code = end.exitCode === undefined ? 'It was ended by' : `Exit code ${end.exitCode} is`;
  return { says: signal ? `${code} ${signal.name}. ${signal.says(end)}` : `${code} signal ${number}.` };
}

/** What the program chose itself. */
const OWN_CODE: Meaning = ({ exitCode }) => ({ says: `Exit code ${exitCode} is the program's own.` });

/** By convention; the codes of signals follow from `SIGNALS`. */
const EXIT_CODES: Readonly<Record<number, Meaning>> = {
  1: () => ({
    says: 'Exit code 1 is an error of the program, as an exception of Python that nothing catches.',
  }),
  2: (end) => ({
    says: `Exit code 2 most often means wrong arguments, or a program file that is not there: compare command and args of ${containerOf(end)} with its last lines.`,
    isCertain: true,
  }),
  126: (end) => ({
    says: `Exit code 126 is a shell that may not execute a command: make it executable, or correct command and args of ${containerOf(end)}.`,
    isCertain: true,
  }),
  127: (end) => ({
    says: `Exit code 127 is a shell that found no such command: correct command, args or PATH of ${containerOf(end)}, or use an image that has it.`,
    isCertain: true,
  }),
};
