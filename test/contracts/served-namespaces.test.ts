import { expect, it } from '@jest/globals';
import { namespaceOfNameless } from '../../contracts/served-namespaces.ts';

it.each([
  [undefined, undefined, 'default'],
  ['ml', undefined, 'ml'],
  [undefined, ['team-a'], 'team-a'],
  ['ml', ['team-a'], 'ml'],
  [undefined, ['team-a', 'team-b'], 'default'],
])('a job that names no namespace, with %j set and %j served, goes to %s', (given, served, expected) => {
  expect(namespaceOfNameless(given, served)).toBe(expected);
});
