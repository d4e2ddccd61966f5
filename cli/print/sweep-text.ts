import type { SweepSummary } from '../../contracts/parameter-sweep.ts';
import { painted } from './output.ts';
import { formatTable } from './table.ts';

/** Returns how many trials are in which state, e.g. `200 trials: 120 completed, 50 running, 30 waiting`. */
export function sweepTally(summary: SweepSummary): string {
  const { trials, completed, failed, stopped, refused, running, waiting } = summary;
  const counts = Object.entries({ completed, failed, stopped, refused, running, waiting });
  const parts = counts.filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
  return `${trials} ${trials === 1 ? 'trial' : 'trials'}: ${parts.join(', ')}`;
}

/** Returns a summary for people, with a command that lists the trials. */
export async function sweepText(summary: SweepSummary): Promise<string> {
  const { name, namespace, phase, atMost, failures, failed, stopped, refused, stop } = summary;
  const more = failed + stopped + refused - failures.length;
  const rows = [
    ['sweep', `${namespace}/${name}`],
    ['phase', painted(phase)],
    ['trials', `${sweepTally(summary)}; at most ${atMost} at once`],
    ...(stop ? [['stopped by', [stop.by ?? 'unknown', stop.why].filter(Boolean).join(': ')]] : []),
    ...failures.map((trial) => [trial.name, `${trial.phase}${trial.why && `: ${trial.why}`}`]),
    ...(more > 0 ? [['', `and ${more} more`]] : []),
    ['to list them', `signalbox list -n ${namespace} -l signalbox.dev/sweep=${name}`],
  ];
  return formatTable(undefined, rows);
}
