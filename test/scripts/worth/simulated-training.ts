import type { FaultKind, TrainingRun } from '../../../scripts/worth/ettr.ts';
import { diceOf } from '../../simulation/dice.ts';

/**
 * Walks through a job second by second of its events, as its program lives them: what the formula must agree with, without
 * anything of the formula.
 */
export function simulatedEttr(
  faults: readonly FaultKind[],
  { secondsBetweenFaults, intervalSeconds, saveSeconds }: TrainingRun,
  { days, seed }: { readonly days: number; readonly seed: number },
): number {
  const dice = diceOf(seed);
  const untilFault = () => -secondsBetweenFaults * Math.log(1 - dice());
  const end = days * 86_400;
  let [now, nextFault, safe, fresh] = [0, untilFault(), 0, 0];

  /** Lets time pass; returns how much of it passed before a fault. */
  const pass = (seconds: number): number => {
    const passed = Math.min(seconds, nextFault - now);
    now += passed;
    return passed;
  };
  const recover = () => {
    for (;;) {
      const fault = pick(faults, dice());
      safe += fresh * fault.kept;
      fresh = 0;
      now += fault.waitSeconds;
      nextFault = now + untilFault();
      if (pass(fault.recoverySeconds) === fault.recoverySeconds) return;
    }
  };
  while (now < end) {
    fresh = pass(intervalSeconds);
    if (fresh === intervalSeconds && pass(saveSeconds) === saveSeconds) {
      safe += fresh;
      fresh = 0;
    } else recover();
  }
  return safe / now;
}

function pick(faults: readonly FaultKind[], fraction: number): FaultKind {
  let left = fraction;
  for (const fault of faults) {
    left -= fault.share;
    if (left < 0) return fault;
  }
  return faults.at(-1)!;
}
