import { expect, it } from '@jest/globals';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';

/** Columns of a namespace in Temporal's SQL visibility stores. Other programs of the namespace need some, too. */
const COLUMNS: Readonly<Record<string, number>> = { KEYWORD: 10, KEYWORD_LIST: 3, INT: 3 };

it('search attributes leave room in the columns of an SQL store', () => {
  const types = Object.values(SEARCH_ATTRIBUTES).map(({ type }) => String(type));
  expect(types.length).toBeLessThanOrEqual(8);
  for (const type of new Set(types)) {
    expect(types.filter((other) => other === type).length).toBeLessThan(COLUMNS[type] ?? 0);
  }
});
