import { describe, expect, test } from '@jest/globals';
import { shapeOf, title } from './cases.ts';
import { faultOfArguments } from './fault-of-arguments.ts';
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

describe('the Temporal server', () => {
  test('is that of the sandbox by default', () => {
    expect(parseOptions([]).temporal).toBe('development');
  });

  test('keeps its histories in PostgreSQL on request', () => {
    expect(parseOptions(['--temporal', 'postgresql']).temporal).toBe('postgresql');
  });
});

describe('an operator to compare with', () => {
  test.each([[['a']], [['c', 'd']], [['a', 'b', 'c']]])('is measured in %j', (only) => {
    const argv = ['--versus', 'training-operator', '--only', only.join(',')];
    expect(parseOptions(argv)).toMatchObject({ versus: 'training-operator', only });
  });

  test('is off by default', () => {
    expect(parseOptions([]).versus).toBeUndefined();
  });

  test('is a known one', () => {
    expect(faultOfArguments(() => parseOptions(['--versus', 'foo']))).toContain(
      'Allowed choices are training-operator.',
    );
  });

  test('needs a case in which jobs start', () => {
    const fault = faultOfArguments(() => parseOptions(['--versus', 'training-operator', '--only', 'd,e']));
    expect(fault).toBe('error: --versus compares only in the cases a, b and c, got --only d,e\n');
  });
});
