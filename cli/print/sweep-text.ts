import { type SweepSummary, trialsText } from '../../contracts/parameter-sweep.ts';
import { painted } from './output.ts';
import { formatTable } from './table.ts';

/** Returns a summary for people, with a command that lists the trials. */
export async function sweepText(summary: SweepSummary): Promise<string> {
  const { name, namespace, phase, atMost, failures, failed, stopped, refused, stop } = summary;
  const more = failed + stopped + refused - failures.length;
  const rows = [
    ['sweep', `${namespace}/${name}`],
    ['phase', painted(phase)],
    ['trials', `${trialsText(summary)}; at most ${atMost} at once`],
    ...(stop ? [['stopped by', [stop.by ?? 'unknown', stop.why].filter(Boolean).join(': ')]] : []),
    ...failures.map((trial) => [trial.name, `${trial.phase}${trial.why && `: ${trial.why}`}`]),
    ...(more > 0 ? [['', `and ${more} more`]] : []),
    ['to list them', `signalbox list -n ${namespace} -l signalbox.dev/sweep=${name}`],
  ];
  return formatTable(undefined, rows);
}
