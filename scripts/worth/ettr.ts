/**
 * The effective training time ratio (ETTR): the part of the time of a running job in which it makes new steps. What is not
 * in it: waiting for a person or for recovery, starting, work that is done again, and pauses for checkpoints. Time in a
 * queue does not count. Decision 121 derives the formula.
 */

/** One kind of fault. */
export interface FaultKind {
  /** Part of all faults, from 0 to 1; those of all kinds add up to 1. */
  readonly share: number;
  /** How long nothing happens, because only a person can help. Further faults do not matter meanwhile. */
  readonly waitSeconds: number;
  /** From then until all ranks train again. A fault in this time begins a new recovery. */
  readonly recoverySeconds: number;
  /** Part of the work since the last checkpoint that is not lost: 1 where the program saves before it stops. */
  readonly kept: number;
}

export interface TrainingRun {
  /** Mean time between two faults while the job trains or recovers; they come at random (exponential times). */
  readonly secondsBetweenFaults: number;
  /** Training between two checkpoints. */
  readonly intervalSeconds: number;
  /** For how long training pauses for a checkpoint. */
  readonly saveSeconds: number;
}

/** Exact for faults that come at random, also while the job recovers. */
export function exactEttr(faults: readonly FaultKind[], run: TrainingRun): number {
  const { secondsBetweenFaults: mean, intervalSeconds: interval, saveSeconds } = run;
  const survives = Math.exp(-(interval + saveSeconds) / mean);
  const isHit = -Math.expm1(-(interval + saveSeconds) / mean);
  const trainedWhenHit = mean * -Math.expm1(-interval / mean) - interval * survives;
  const gained = interval * survives + keptBy(faults) * trainedWhenHit;
  return gained / (isHit * (mean + secondsDown(faults, mean)));
}

/** The usual approximation, good while recovery and interval are much shorter than the time between two faults. */
export function firstOrderEttr(faults: readonly FaultKind[], run: TrainingRun): number {
  const { secondsBetweenFaults, intervalSeconds, saveSeconds } = run;
  const down = sumOver(faults, ({ waitSeconds, recoverySeconds }) => waitSeconds + recoverySeconds);
  const lost = (intervalSeconds / 2) * (1 - keptBy(faults));
  return (1 - (down + lost) / secondsBetweenFaults) / (1 + saveSeconds / intervalSeconds);
}

/** Young's interval, near which the ratio is greatest. */
export const bestInterval = ({
  secondsBetweenFaults,
  saveSeconds,
}: Omit<TrainingRun, 'intervalSeconds'>): number => Math.sqrt(2 * saveSeconds * secondsBetweenFaults);

/** The mean from a fault until all ranks train again, with the faults that come meanwhile. */
function secondsDown(faults: readonly FaultKind[], mean: number): number {
  const untilNextOrRecovered = sumOver(
    faults,
    ({ waitSeconds, recoverySeconds }) => waitSeconds + mean * -Math.expm1(-recoverySeconds / mean),
  );
  return untilNextOrRecovered / sumOver(faults, ({ recoverySeconds }) => Math.exp(-recoverySeconds / mean));
}

const keptBy = (faults: readonly FaultKind[]) => sumOver(faults, ({ kept }) => kept);

const sumOver = (faults: readonly FaultKind[], value: (fault: FaultKind) => number): number =>
  faults.reduce((sum, fault) => sum + fault.share * value(fault), 0);
