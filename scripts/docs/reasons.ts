import { REASONS, type ReasonEntry } from '../../contracts/reasons.ts';
import { page, table } from './markdown.ts';

const CLASSES: Readonly<Record<ReasonEntry['class'], string>> = {
  waiting: 'The job waits',
  request: 'The request cannot be carried out',
  program: 'The program failed',
  infrastructure: 'The cluster took something away',
  limit: 'A limit was reached',
  stopped: 'Somebody ended it',
  engine: 'signalbox failed',
};

/** docs/reasons.md */
export function reasonsPage(): string {
  return page({
    title: 'Why is my job not running?',
    source: 'contracts/reasons.ts',
    body: [
      'Every state that is not a success carries one of these codes: in `signalbox get`, in the status query, in the search attribute `JobReason`.',
      ...Object.entries(CLASSES).map(([name, title]) => section(title, name as ReasonEntry['class'])),
    ],
  });
}

function section(title: string, wanted: ReasonEntry['class']): string {
  const rows = Object.entries<ReasonEntry>(REASONS)
    .filter(([, entry]) => entry.class === wanted)
    .map(([code, { sentence, remedy }]) => [`\`${code}\``, sentence, remedy]);
  return `## ${title}\n\n${table(['code', 'what it means', 'what to do'], rows)}`;
}
