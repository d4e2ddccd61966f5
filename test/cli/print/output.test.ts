import { expect, test } from '@jest/globals';
import { dataText } from '../../../cli/print/output.ts';
import { formatTable } from '../../../cli/print/table.ts';
import { coloursIf, terminalText } from '../../../cli/print/terminal-text.ts';

const HOSTILE = '\u001b]0;pwn\u0007\u001b[31mred\u009b2J\u202e';
const SHOWN = '^[]0;pwn^G^[[31mred<U+009B>2J<U+202E>';
const { green, dim, red } = coloursIf(true);

test('text for people has only our own colours', () => {
  expect(terminalText(`${green('Completed')} ${HOSTILE}`)).toBe(`\u001b[32mCompleted\u001b[39m ${SHOWN}`);
  expect(terminalText(dim(HOSTILE))).toBe(`\u001b[2m${SHOWN}\u001b[22m`);
  expect(terminalText(coloursIf(false).dim(HOSTILE))).toBe(SHOWN);
});

test('columns of tables are as wide as what is shown', async () => {
  const table = await formatTable(undefined, [
    ['a', '\u001b[8mb', 'c'],
    [red('Failed'), 'd', 'e'],
  ]);
  expect(terminalText(table)).toBe('a        ^[[8mb   c\n\u001b[31mFailed\u001b[39m   d        e');
});

test('text for people hides what looks like a secret', () => {
  expect(terminalText(`cannot reach ${dim('postgres://ana:hunter2@db')}`)).toBe(
    'cannot reach \u001b[2mpostgres://ana:(hidden)@db\u001b[22m',
  );
});

test('data is unchanged in a pipe, and the same document without control characters on a terminal', () => {
  const json = JSON.stringify({ why: HOSTILE });
  expect(dataText(json, 'json', false)).toBe(json);
  const shown = dataText(json, 'jsonl', true);
  expect(shown).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(shown)).toEqual({ why: HOSTILE });
  expect(dataText(`a,${HOSTILE}`, 'csv', true)).toBe(`a,${SHOWN}`);
});
