import { REASONS, type ReasonEntry } from '../../contracts/reasons.ts';
import { table } from './markdown.ts';

const CLASSES: Readonly<Record<ReasonEntry['class'], string>> = {
  waiting: 'The job waits',
  request: 'The request cannot be carried out',
  program: 'The program failed',
  infrastructure: 'The infrastructure failed',
  limit: 'A limit was reached',
  stopped: 'The job was stopped',
  engine: 'signalbox failed',
};

/** Returns the table of reasons, one for each class. */
export const reasons = (): string =>
  Object.entries(CLASSES)
    .map(([name, title]) => section(title, name as ReasonEntry['class']))
    .join('\n\n');

function section(title: string, wanted: ReasonEntry['class']): string {
  const rows = Object.entries<ReasonEntry>(REASONS)
    .filter(([, entry]) => entry.class === wanted)
    .map(([code, { sentence, remedy }]) => [`\`${code}\``, sentence, remedy]);
  return `### ${title}\n\n${table(['code', 'meaning', 'what to do'], rows)}`;
}
