import { constants } from 'node:os';
import { jobArguments } from '../../contracts/job-arguments.ts';
import type { EvidenceSummary, JobStatus } from '../../contracts/types.ts';
import { truncate } from '../../language/shorten.ts';
import { formatTable } from './table.ts';
import { withoutMilliseconds } from './times.ts';

/** `signalbox evidence` prints the others. */
const LATEST = 5;

/** Returns a line for each of the pods that failed last, with its latest failure, and the command that shows more. */
export async function evidenceLines(status: JobStatus, workflowId: string): Promise<string[]> {
  const { evidence = [] } = status;
  if (evidence.length === 0) return [];
  const pods = [...Map.groupBy(evidence, ({ pod }) => pod).values()];
  const rows = pods
    .slice(0, LATEST)
    .map(([latest, ...before]) => [
      `  ${latest!.pod}`,
      String(latest!.attempt),
      withoutMilliseconds(latest!.failedAt ?? latest!.takenAt),
      latest!.node ?? '',
      `${whatHappened(latest!)}${before.length > 0 ? ` (failed ${before.length + 1} times)` : ''}`,
    ]);
  const earlier = pods.length - rows.length;
  return [
    '',
    await formatTable(['  FAILED POD', 'ATTEMPT', 'AT', 'NODE', 'WHAT IS KNOWN'], rows),
    `  ${earlier > 0 ? `${earlier} earlier, logs` : 'Logs'} and events: signalbox evidence ${jobArguments(status, workflowId)}`,
  ];
}

function whatHappened({ container, exitCode, signal, reason, message, incomplete }: EvidenceSummary): string {
  const facts = [
    container,
    exitCode === undefined ? undefined : `exit code ${exitCode}${signalOf(exitCode)}`,
    signal === undefined ? undefined : `signal ${signal}`,
    reason,
  ].filter((fact) => fact !== undefined);
  const shortMessage = firstLine(message);
  const missing = incomplete === undefined ? '' : ` (incomplete: ${firstLine(incomplete)})`;
  return `${facts.join(', ')}${shortMessage && `${facts.length > 0 ? ': ' : ''}${shortMessage}`}${missing}`;
}

/** A shell reports a program that a signal ended as 128 and its number. */
function signalOf(exitCode: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return name ? ` (${name})` : '';
}

/** A termination message can be a stack trace. */
function firstLine(text = ''): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > 80 ? `${truncate(line, 79)}…` : line;
}
