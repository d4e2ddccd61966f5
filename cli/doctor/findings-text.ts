import { countText } from '../../language/count-text.ts';
import { indented } from '../print/field.ts';
import { colours } from '../print/output.ts';
import type { Finding } from './finding.ts';

const STATES: Readonly<Record<Finding['state'], string>> = {
  ok: colours.green('ok     '),
  warning: colours.yellow('warning'),
  fault: colours.red('fault  '),
};

const CHECK_COLUMN = 9;

/** Formats a finding as a line, and below it how to mend it. */
export function findingText({ part, check, state, message, remedy }: Finding): string {
  const line = `${STATES[state]}  ${`${part} ${check}`.padEnd(20)} ${indented(message, CHECK_COLUMN)}`;
  return remedy ? `${line}\n${' '.repeat(CHECK_COLUMN)}${colours.dim(remedy)}` : line;
}

/** Counts what was found. */
export function tallyOfFindings(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const [warnings, faults] = [count('warning'), count('fault')];
  if (warnings + faults === 0) return 'everything is as it should be';
  const found = [
    { count: faults, word: 'fault' },
    { count: warnings, word: 'warning' },
  ].filter(({ count }) => count > 0);
  return found.map(({ count, word }) => countText(count, word)).join(', ');
}
