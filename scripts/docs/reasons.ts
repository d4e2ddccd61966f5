import { isWaitCode, REASONS, type ReasonEntry } from '../../contracts/reasons.ts';
import { generalRemedy } from '../../contracts/remedies.ts';
import { keysOf } from '../../language/fields.ts';
import { paragraph, table } from './markdown.ts';

const CLASSES: Readonly<Record<ReasonEntry['class'], string>> = {
  waiting: 'The job waits',
  request: 'The request cannot be carried out',
  program: 'The program failed',
  infrastructure: 'The infrastructure failed',
  limit: 'A limit was reached',
  stopped: 'The job was stopped',
  engine: 'signalbox failed',
};

const SHOWN_IN: Readonly<Record<ReasonEntry['shownIn'], string>> = {
  status: 'status',
  why: '`why`',
  both: 'status, `why`',
};

/** Returns the table of reasons, one for each class. */
export const reasons = (): string =>
  Object.entries(CLASSES)
    .map(([name, title]) => section(title, name as ReasonEntry['class']))
    .join('\n\n');

function section(title: string, wanted: ReasonEntry['class']): string {
  const entries = Object.entries<ReasonEntry>(REASONS).filter(([, entry]) => entry.class === wanted);
  const isWait = wanted === 'waiting';
  const rows = entries.map(([code, entry]) => [
    ...[`\`${code}\``, entry.sentence, generalRemedy(entry)],
    ...(isWait ? [entry.who ?? '', SHOWN_IN[entry.shownIn]] : []),
  ]);
  const further = isWait ? ['who can change it', 'shown in'] : [];
  return `### ${title}\n\n${table(['code', 'meaning', 'what to do', ...further], rows)}`;
}

/** Returns the codes of `why` in order of rank. */
export const rankedCodes = (): string =>
  paragraph(
    `${keysOf(REASONS)
      .filter(isWaitCode)
      .map((code) => `\`${code}\``)
      .join(', ')}.`,
  );
