import { REASONS, type ReasonEntry } from '../../contracts/reasons.ts';
import { page, paragraph, table } from './markdown.ts';

const CLASSES: Readonly<Record<ReasonEntry['class'], string>> = {
  waiting: 'The job waits',
  request: 'The request cannot be carried out',
  program: 'The program failed',
  infrastructure: 'The infrastructure failed',
  limit: 'A limit was reached',
  stopped: 'The job was stopped',
  engine: 'signalbox failed',
};

/** Returns docs/reasons.md. */
export function reasonsPage(): string {
  return page({
    title: 'Why is my job not running?',
    source: 'contracts/reasons.ts',
    body: [
      paragraph(
        'One of these codes says why a job is not running or why it ended. `signalbox get`, the status query and the search attribute `JobReason` show it.',
      ),
      ...Object.entries(CLASSES).map(([name, title]) => section(title, name as ReasonEntry['class'])),
    ],
  });
}

function section(title: string, wanted: ReasonEntry['class']): string {
  const rows = Object.entries<ReasonEntry>(REASONS)
    .filter(([, entry]) => entry.class === wanted)
    .map(([code, { sentence, remedy }]) => [`\`${code}\``, sentence, remedy]);
  return `## ${title}\n\n${table(['code', 'meaning', 'what to do'], rows)}`;
}
