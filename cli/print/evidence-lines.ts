import type { EvidenceSummary } from '../../contracts/evidence.ts';
import { workflowIdOf } from '../../contracts/labels.ts';
import type { JobStatus } from '../../contracts/status.ts';
import { formatTable } from './table.ts';

/** `signalbox evidence` prints the others. */
const LATEST = 5;

/** Returns a line for each of the latest failed pods, and the command that shows more. */
export async function evidenceLines(status: JobStatus, workflowId: string): Promise<string[]> {
  const { evidence = [] } = status;
  if (evidence.length === 0) return [];
  const rows = evidence
    .slice(0, LATEST)
    .map((one) => [`  ${one.pod}`, String(one.attempt), one.node ?? '', whatHappened(one)]);
  const earlier = evidence.length - rows.length;
  return [
    '',
    await formatTable(['  FAILED POD', 'ATTEMPT', 'NODE', 'WHAT IS KNOWN'], rows),
    `  ${earlier > 0 ? `${earlier} earlier, logs` : 'Logs'} and events: signalbox evidence ${named(status, workflowId)}`,
  ];
}

function whatHappened({ container, exitCode, signal, reason, message, incomplete }: EvidenceSummary): string {
  const facts = [
    container,
    exitCode === undefined ? undefined : `exit code ${exitCode}`,
    signal === undefined ? undefined : `signal ${signal}`,
    reason,
  ].filter((fact) => fact !== undefined);
  const shortMessage = firstLine(message);
  const missing = incomplete === undefined ? '' : ` (incomplete: ${firstLine(incomplete)})`;
  return `${facts.join(', ')}${shortMessage && `${facts.length > 0 ? ': ' : ''}${shortMessage}`}${missing}`;
}

/** A termination message can be a stack trace. */
function firstLine(text = ''): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

const named = ({ name, namespace }: JobStatus, workflowId: string): string =>
  workflowId === workflowIdOf({ name, namespace })
    ? `${name} -n ${namespace}`
    : `--workflow-id ${workflowId}`;
