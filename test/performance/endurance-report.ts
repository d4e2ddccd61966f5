import { formatTable } from '../../cli/print/table.ts';
import type { TrialResult } from './endurance-trials.ts';

/** A line for each trial, and below it what is not as it must be. */
export async function enduranceReport(results: readonly TrialResult[]): Promise<string> {
  const head = ['', 'time', 'runs', 'largest', '', 'events a round', 'KB a round', 'outcome'];
  const faults = results.flatMap((result) => result.faults.map((fault) => `${result.title}: ${fault}`));
  return [await formatTable(head, results.map(row)), ...faults].join('\n');
}

function row({ title, milliseconds, rounds, runs, faults }: TrialResult): string[] {
  const events = runs.map((run) => run.events);
  const bytes = runs.map((run) => run.bytes);
  return [
    title,
    `${(milliseconds / 1000).toFixed(0)} s`,
    String(runs.length),
    `${Math.max(...events)} events`,
    `${kilobytes(Math.max(...bytes))} KB`,
    (sum(events) / rounds).toFixed(0),
    kilobytes(sum(bytes) / rounds),
    faults.length === 0 ? 'as it must be' : `${faults.length} faults`,
  ];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const kilobytes = (bytes: number) => (bytes / 1024).toFixed(0);
