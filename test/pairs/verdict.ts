import type { WaitAnswer } from '../../explain/answer.ts';
import { UNKNOWN_PREEMPTION } from '../../explain/preemption.ts';

/** What became of the pods of a job. */
export interface Outcome {
  /** What the API server said of the objects that it refused. */
  readonly refused: readonly string[];
  readonly pods: number;
  /** Those that have a node, also while the volume is made that it was chosen for. */
  readonly placed: number;
  /** How many of them are such. */
  readonly awaitsVolume: number;
  /** What the scheduler says of the others. */
  readonly said: readonly string[];
  /** Pods of others that the scheduler removed for them. */
  readonly preempted: number;
  /** Objects that a kubelet would look for in vain. */
  readonly lacking: readonly string[];
  /** What is answered of the job once its pods wait. */
  readonly live?: WaitAnswer;
}

/** A job and what was found of it. */
export interface Found {
  readonly answer: WaitAnswer;
  readonly now: Outcome;
  /** The same once nothing else is in the cluster; absent for a job that starts at once. */
  readonly emptied?: Outcome;
}

const FAULTS = {
  startsButRefused: 'it would start at once, but the API server refuses it',
  startsButUnplaced: 'it would start at once, but not all of its pods find a node',
  blockedButRuns: 'somebody would have to change something, but it starts at once',
  waitsButRuns: 'it would wait, but it starts at once',
  preemptsButWaits: 'pods of a lower priority would make room, but not all of its pods find a node',
  waitsButPreempts: 'it would wait, but it starts as pods of a lower priority are removed',
  waitsButNever: 'it would only have to wait, but it does not start when nothing else is there',
  blockedButPasses: 'somebody would have to change something, but it starts when nothing else is there',
  roomBesideNone: 'there is room, beside words of a scheduler that finds none',
  silentLive: 'nothing is found that keeps its pods from a node',
} as const;

type FaultName = keyof typeof FAULTS;

export interface FoundFault {
  readonly name: FaultName;
  /** What was answered and what happened, in a line. */
  readonly text: string;
}

/** Returns what an answer says that it does not compute, unless somebody has to change something anyway. */
export const notComputedIn = ({ answer: { reasons, unknown } }: Found): string | undefined =>
  reasons.every(({ who }) => who === 'nobody' || who === 'unknown')
    ? (reasons.find(({ who }) => who === 'unknown')?.sentence ??
      unknown.find((sentence) => sentence === UNKNOWN_PREEMPTION))
    : undefined;

export const starts = ({ refused, pods, placed, lacking }: Outcome): boolean =>
  refused.length === 0 && placed === pods && lacking.length === 0;

/** Compares what was answered with what happened. */
export function faultsOf(found: Found): FoundFault[] {
  const { answer, now } = found;
  const names = [...beforeSubmission(found), ...whileWaiting(now)];
  const [first] = answer.reasons;
  const said = first ? `${first.code} (${first.who}): ${first.sentence}` : 'no reason';
  return names.map((name) => ({
    name,
    text: `${name}: ${FAULTS[name]}. Answered: ${said}. Happened: ${happened(found)}`,
  }));
}

function beforeSubmission(found: Found): FaultName[] {
  const { answer, now, emptied } = found;
  const [first] = answer.reasons;
  if (!first) {
    if (now.refused.length > 0) return ['startsButRefused'];
    return starts(now) ? [] : ['startsButUnplaced'];
  }
  if (notComputedIn(found) !== undefined) return [];
  const waits = first.who === 'nobody';
  const preempts = first.code === 'RoomByPreemption';
  if (starts(now) && waits && now.preempted > 0) return preempts ? [] : ['waitsButPreempts'];
  if (starts(now) && waits) return ['waitsButRuns'];
  if (preempts) return ['preemptsButWaits'];
  if (starts(now)) return ['blockedButRuns'];
  if (!emptied || waits === starts(emptied)) return [];
  return [waits ? 'waitsButNever' : 'blockedButPasses'];
}

function whileWaiting({ live, said, awaitsVolume }: Outcome): FaultName[] {
  if (!live || said.length + awaitsVolume === 0) return [];
  const [first] = live.reasons;
  if (!first || first.code === 'Unknown') return ['silentLive'];
  const findsNone = said.some((words) => words.startsWith('0/'));
  const speaksOfRoom = live.reasons.some(({ sentence }) => sentence.includes('there is room'));
  return findsNone && speaksOfRoom ? ['roomBesideNone'] : [];
}

function happened({ now, emptied }: Found): string {
  const of = ({ refused, pods, placed, preempted, said, lacking, live }: Outcome) =>
    [
      `${placed} of ${pods} pods have a node`,
      ...(preempted > 0 ? [`${preempted} of others were removed for them`] : []),
      ...refused.slice(0, 1).map((words) => `refused: ${words}`),
      ...said.slice(0, 1).map((words) => `the scheduler: ${words}`),
      ...lacking.map((what) => `there is no ${what}`),
      ...(live?.reasons[0] ? [`then answered: ${live.reasons[0].code}: ${live.reasons[0].sentence}`] : []),
    ].join('; ');
  return `${of(now)}${emptied ? `. With nothing else in the cluster: ${of(emptied)}` : ''}`;
}
