import { formatFault } from '../../contracts/faults.ts';
import { colours } from '../print/output.ts';
import type { Checked } from './validation.ts';

/** Formats each document: its result, then faults, warnings and existing objects. */
export const validationText = (checked: readonly Checked[]): string =>
  checked.flatMap(linesOfDocument).join('\n');

const RESULTS: Readonly<Record<Checked['result'], (checked: Checked) => string>> = {
  valid: () => colours.green('valid'),
  invalid: ({ faults }) => colours.red(faults.length === 1 ? '1 error' : `${faults.length} errors`),
  other: () => colours.dim('not a job, skipped'),
  unreadable: ({ problem = '' }) => colours.red(problem),
};

function linesOfDocument(checked: Checked): string[] {
  const { where, title, result, faults, warnings, existing } = checked;
  const what = RESULTS[result](checked);
  return [
    title ? `${colours.bold(where)}: ${title}: ${what}` : what,
    ...faults.map((fault) => `  ${formatFault(fault)}`),
    ...warnings.map((warning) => `  ${colours.yellow('warning')}: ${warning}`),
    ...existing.map((object) => `  ${object} already exists`),
  ];
}

/** Counts the documents of each result. */
export function tallyOf(checked: readonly Checked[]): string {
  const words: readonly (readonly [Checked['result'], string])[] = [
    ['valid', 'valid'],
    ['invalid', 'with errors'],
    ['other', 'skipped'],
    ['unreadable', 'cannot be read'],
  ];
  const counts = words.map(([wanted, word]) => ({
    word,
    count: checked.filter(({ result }) => result === wanted).length,
  }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${count} ${word}`)
    .join(', ');
}
