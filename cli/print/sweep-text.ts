import type { ListedSweep } from '../../client/use-cases/parameter-sweep/list-sweeps.ts';
import { type SweepStop, type SweepSummary, trialsText } from '../../contracts/parameter-sweep.ts';
import { REASONS } from '../../contracts/reasons.ts';
import { painted } from './output.ts';
import { formatTable } from './table.ts';
import { tookText } from './times.ts';

/** Returns a summary for people, with a command that shows the trials. */
export async function sweepText(summary: SweepSummary): Promise<string> {
  const {
    name,
    namespace,
    phase,
    atMost,
    failures,
    failed,
    stopped,
    refused,
    stop,
    waits = [],
    recordedIn,
  } = summary;
  const more = failed + stopped + refused - failures.length;
  const rows = [
    ['sweep', `${namespace}/${name}`],
    ['phase', painted(phase)],
    ['trials', `${trialsText(summary)}; at most ${atMost} at once`],
    ...(stop ? [['stopped by', stopText(stop)]] : []),
    ...waits.map(({ reason, trials }) => [
      'waiting for',
      `${reason} (${trials}): ${REASONS[reason].sentence}`,
    ]),
    ...failures.flatMap(({ name: trial, phase: ended, why, errorLine }) => [
      [trial, `${ended}${why && `: ${why}`}`],
      ...(errorLine === undefined ? [] : [['', `error: ${errorLine}`]]),
    ]),
    ...(more > 0 && !recordedIn ? [['', `and ${more} more`]] : []),
    ...(recordedIn ? [['worker', NO_WORKER]] : []),
    ['to list them', `signalbox sweep status ${name} -n ${namespace} --trials`],
  ];
  return formatTable(undefined, rows);
}

/** A failure says itself which trial it is. */
const stopText = ({ trial, by = 'unknown', why }: SweepStop) =>
  trial ? (why ?? trial) : [by, why].filter(Boolean).join(': ');

const NO_WORKER =
  'none answers; this is what the last round recorded. No trial starts until there is one: signalbox up';

const COLUMNS = ['trials', 'completed', 'failed', 'stopped', 'refused', 'running', 'waiting'] as const;

/** Formats sweeps as a table. */
export function sweepTable(sweeps: readonly ListedSweep[], hasHeadings: boolean): Promise<string> {
  const head = ['NAMESPACE', 'NAME', 'PHASE', ...COLUMNS.map((title) => title.toUpperCase()), 'AGE', 'TOOK'];
  const rows = sweeps.map(({ namespace, name, phase, startTime, endTime, ...counts }) => [
    ...[namespace, name, painted(phase), ...COLUMNS.map((column) => String(counts[column]))],
    ...[tookText({ startTime }), endTime ? tookText({ startTime, endTime }) : ''],
  ]);
  return formatTable(hasHeadings ? head : undefined, rows);
}
