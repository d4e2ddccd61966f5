import { describe, expect, it } from '@jest/globals';
import { type AnswerTable, answerText } from '../../../cli/audit/answer-text.ts';
import { terminalText } from '../../../cli/print/terminal-text.ts';

const COLUMNS = ['time', 'namespace', 'name', 'first_run_id', 'seq', 'to_state', 'cause', 'rule', 'message'];
const MESSAGE = 'train-master-0 on node local: container pytorch exited with code 1 (Error)';

const entry = (run: string, seq: number) => [
  ...[`2026-11-26T15:36:0${seq}.000Z`, 'ml', 'train', `${run}-0000-7000-8000-000000000000`, seq],
  ...['Running', 'digest', null, MESSAGE],
];

const answer = (more: Partial<AnswerTable> = {}): AnswerTable => ({
  ...{ columns: COLUMNS, rows: [entry('01a2187f', 2), entry('01a2187f', 1), entry('01a2187c', 1)] },
  ...{ hasHeadings: true, isByRun: false, isSql: false },
  ...more,
});

const linesOf = async (more: Partial<AnswerTable>) => {
  const { text, hidden } = await answerText(answer(more));
  return { hidden, lines: terminalText(text).split('\n') };
};
const longest = (lines: readonly string[]) => Math.max(...lines.map(({ length }) => length));

describe('an answer as text', () => {
  it('has all columns that have a value where there is no terminal', async () => {
    const { lines, hidden } = await linesOf({});
    expect(lines[0]!.split(/ {2,}/)).toEqual([
      ...['TIME', 'NAMESPACE', 'NAME', 'RUN', 'SEQ', 'TO STATE', 'CAUSE', 'MESSAGE'],
    ]);
    expect(lines[1]).toMatch(/pods {4}train-master-0 on node local: .* \(Error\)$/);
    expect(hidden).toEqual([]);
  });

  it.each([60, 80, 100])('fits into a terminal of %d columns, and names what is not there', async (width) => {
    const { lines, hidden } = await linesOf({ width });
    expect(longest(lines)).toBeLessThanOrEqual(width);
    const shown = lines[0]!.split(/ {2,}/);
    expect([...shown, ...hidden]).toHaveLength(8);
    expect(shown).toEqual(expect.arrayContaining(['TIME', 'NAME', 'TO STATE']));
    expect(hidden).toContain('SEQ');
  });

  it('uses the room that it has for what happened', async () => {
    const { lines, hidden } = await linesOf({ width: 160 });
    expect(hidden).toEqual([]);
    expect(lines[1]).toContain(MESSAGE);
  });

  it('has each job that had the name below a title', async () => {
    const { lines } = await linesOf({ isByRun: true, width: 80 });
    expect(lines[0]).not.toMatch(/NAMESPACE|RUN/);
    expect(lines.filter((line) => line.startsWith('ml/train@'))).toEqual([
      ...['ml/train@01a2187f-0000', 'ml/train@01a2187c-0000'],
    ]);
    expect(lines.map((line) => line.slice(0, 4))).toEqual([
      'TIME',
      '',
      'ml/t',
      '2026',
      '2026',
      '',
      'ml/t',
      '2026',
    ]);
  });

  it('shows values of a query in SQL as the query compares them', async () => {
    expect((await linesOf({ isSql: true })).lines[1]).toContain('digest');
  });
});
