import { formatDuration } from '../../../language/duration.ts';
import type { Trial } from './trial.ts';
import { isClean, type WrongActs } from './wrong-acts.ts';

/** A sentence for whoever waits for the end of a drill. */
export function describeTrial(
  { fault, system, settings, number, findings, error }: Trial,
  capMs: number,
): string {
  const what = `${fault}, trial ${number}, ${system} ${settings}`;
  if (!findings) return `${what}: no result: ${error}`;
  const { recovery, wrong } = findings;
  const acts = isClean(wrong) ? '' : `; wrong: ${describeWrongActs(wrong)}`;
  if (!recovery) return `${what}: not within ${formatDuration(capMs)}${acts}`;
  const { trainedMs, lostMs, lostSteps } = recovery;
  const lost = `${seconds(lostMs)} of work lost (${lostSteps} steps)`;
  return `${what}: trains again after ${seconds(trainedMs)}, ${lost}${acts}`;
}

const ACTS: Readonly<Record<keyof WrongActs, string>> = {
  restartsOfHealthy: 'restarts of a healthy job',
  aliveTwice: 'alive twice',
  skippedSteps: 'steps never trained',
  forgottenSteps: 'steps of a checkpoint forgotten',
};

/** `none` where there are none. */
export function describeWrongActs(acts: WrongActs): string {
  const said = (Object.keys(ACTS) as (keyof WrongActs)[]).filter((act) => acts[act] > 0);
  return said.map((act) => `${acts[act]} ${ACTS[act]}`).join(', ') || 'none';
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
