import { describe, expect, test } from '@jest/globals';
import { shapeOf, title } from './cases.ts';
import { parseOptions } from './options.ts';

describe('the cases of a bench', () => {
  test.each([
    [[], ['a', 'b', 'c']],
    [['--only', 'd'], ['d']],
    [
      ['--only', 'd,e'],
      ['d', 'e'],
    ],
    [
      ['--only', 'a', '--only', 'e'],
      ['a', 'e'],
    ],
  ])('%j asks for %j', (argv, expected) => {
    expect(parseOptions(argv).only).toEqual(expected);
  });

  test.each([
    ['a', '(a) 1 job x 20 pods'],
    ['b', '(b) 5 jobs x 4 pods'],
    ['c', '(c) 20 jobs x 1 pod'],
    ['d', '(d) 20 jobs x 1 pod'],
    ['e', '(e) 100 jobs x 1 pod'],
  ] as const)('%s shrinks with pods and jobs', (name, expected) => {
    expect(title(shapeOf(name, { pods: 20, jobs: 5 }))).toBe(expected);
  });
});
