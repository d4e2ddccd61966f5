import { expect, it } from '@jest/globals';
import { type Column, TABLES } from '../../../record/index/columns.ts';

const shownOf = ({ importance, isSentence }: Column) => ({ importance, isSentence });

it('a column that both tables have is shown in the same way in both', () => {
  const { jobs, entries } = TABLES;
  const both = Object.entries<Column>(jobs).filter(([name]) => Object.hasOwn(entries, name));
  expect(both.length).toBeGreaterThan(8);
  for (const [name, column] of both)
    expect([name, shownOf(column)]).toEqual([name, shownOf(entries[name as keyof typeof entries])]);
});

it('no two columns are equally important', () => {
  const columns: Readonly<Record<string, Column>> = { ...TABLES.entries, ...TABLES.jobs };
  const ranks = Object.values(columns).flatMap(({ importance }) => importance ?? []);
  expect(new Set(ranks).size).toBe(ranks.length);
});
