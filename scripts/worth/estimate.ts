import { diceOf } from '../../test/simulation/dice.ts';
import { exactEttr, type FaultKind } from './ettr.ts';
import {
  FAULT_KINDS,
  type FailureMix,
  type FaultKindName,
  faultsIn,
  secondsBetweenFaults,
} from './failure-mixes.ts';
import type { SystemTimes, TrialTime } from './recovery-times.ts';

/** A job of so many GPUs, and what it meets. */
export interface CostQuestion {
  readonly gpus: number;
  readonly mix: FailureMix;
  readonly intervalSeconds: number;
  readonly saveSeconds: number;
  /** How much longer than the drill's program this one starts: images, imports, the checkpoint. */
  readonly startSeconds: number;
  /** Until a person acts, where nothing else does. */
  readonly personSeconds: number;
}

export interface Estimate extends Band {
  readonly ettr: number;
  /** Of each draw: all systems meet the same faults in it. */
  readonly draws: readonly number[];
}

/** 95 % of the draws lie between these. */
export interface Band {
  readonly low: number;
  readonly high: number;
}

const DRAWS = 400;
const OUTSIDE = 0.025;

/**
 * With a band: trials are drawn again with replacement, and the counts of faults as from a Poisson process (a gamma
 * distribution each, which draws shares and rate at once). Undefined where a kind of the mix has no time.
 */
export function estimate(system: SystemTimes, question: CostQuestion): Estimate | undefined {
  if (kindsOf(question.mix).some((kind) => !system.kinds[kind])) return undefined;
  const ettr = ratioOf(question, question.mix, meanOf(system));
  const [faults, trials] = [diceOf(1), diceOf(2)];
  const draws = Array.from({ length: DRAWS }, () =>
    ratioOf(question, resampledMix(question.mix, faults), resampledTimes(system, trials)),
  );
  return { ettr, draws, ...bandOf(draws) };
}

/** How far one is behind another, with the same faults for both. */
export const behind = (other: Estimate, first: Estimate): Band =>
  bandOf(other.draws.map((ratio, index) => first.draws[index]! - ratio));

function bandOf(draws: readonly number[]): Band {
  const sorted = draws.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.round(part * (DRAWS - 1))]!;
  return { low: at(OUTSIDE), high: at(1 - OUTSIDE) };
}

const kindsOf = ({ counts }: FailureMix) =>
  (Object.keys(FAULT_KINDS) as FaultKindName[]).filter((kind) => counts[kind] > 0);

type TrialsOf = (kind: FaultKindName) => readonly TrialTime[];

function ratioOf(question: CostQuestion, mix: FailureMix, trialsOf: TrialsOf): number {
  const all = faultsIn(mix);
  const faults = kindsOf(mix).flatMap((kind): FaultKind[] => {
    const trials = trialsOf(kind);
    return trials.map(({ seconds, kept, waitsForPerson }) => ({
      share: mix.counts[kind] / all / trials.length,
      waitSeconds: waitsForPerson ? question.personSeconds : 0,
      recoverySeconds: seconds + question.startSeconds,
      kept,
    }));
  });
  return exactEttr(faults, { ...question, secondsBetweenFaults: secondsBetweenFaults(mix, question.gpus) });
}

const meanOf =
  ({ kinds }: SystemTimes): TrialsOf =>
  (kind) =>
    kinds[kind]!.trials;

function resampledTimes({ kinds }: SystemTimes, dice: () => number): TrialsOf {
  const drawn = new Map<FaultKindName, readonly TrialTime[]>();
  return (kind) => {
    const known = drawn.get(kind);
    if (known) return known;
    const { trials } = kinds[kind]!;
    const again = trials.map(() => trials[Math.floor(dice() * trials.length)]!);
    drawn.set(kind, again);
    return again;
  };
}

function resampledMix(mix: FailureMix, dice: () => number): FailureMix {
  const counts = Object.fromEntries(
    Object.entries(mix.counts).map(([kind, count]) => [kind, count > 0 ? gamma(count, dice) : 0]),
  ) as FailureMix['counts'];
  return { ...mix, counts };
}

/** Of this shape and scale 1, by the method of Marsaglia and Tsang; smaller shapes than 1 by a power of a larger one. */
function gamma(shape: number, dice: () => number): number {
  if (shape < 1) return gamma(shape + 1, dice) * dice() ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice());
    const cube = (1 + normal / Math.sqrt(9 * d)) ** 3;
    if (cube > 0 && Math.log(1 - dice()) < normal ** 2 / 2 + d - d * cube + d * Math.log(cube))
      return d * cube;
  }
}
