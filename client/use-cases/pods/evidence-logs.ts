import type { ContainerEvidence, EvidenceRecord } from '../../../contracts/types.ts';
import type { JobLogLine, JobLogOptions } from './log-options.ts';

/** Yields the last lines of failed pods from their evidence, the newest record of each pod. */
export async function* evidenceLogs(
  records: AsyncIterable<EvidenceRecord>,
  options: JobLogOptions,
): AsyncGenerator<JobLogLine> {
  const seen = new Set<string>();
  for await (const { summary, containers } of records) {
    const { pod } = summary;
    if (seen.has(pod) || !isChosen(summary, options)) continue;
    const container = containers.find(({ name }) => name === (options.container ?? summary.container));
    const lines = linesIn(container ?? containers.find(({ log }) => log), options);
    if (lines.length > 0) seen.add(pod);
    for (const text of lines) yield { pod, text, from: 'evidence' };
  }
}

/** Without a choice: every failed pod, as only few fail, and the main pod may be none of them. */
const isChosen = (summary: EvidenceRecord['summary'], { pod, role, index }: JobLogOptions): boolean =>
  (pod === undefined || summary.pod === pod) &&
  (role === undefined || summary.role === role.toLowerCase()) &&
  (index === undefined || summary.index === index);

function linesIn(container: ContainerEvidence | undefined, options: JobLogOptions): readonly string[] {
  const { lines = [] } = (options.previous ? container?.previousLog : container?.log) ?? {};
  const { tailLines = lines.length } = options;
  return tailLines === 0 ? [] : lines.slice(-tailLines);
}
