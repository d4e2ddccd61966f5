import { describe, expect, test } from '@jest/globals';
import { isRunReference, jobsMeant, shortRunLength } from '../../contracts/run-reference.ts';

const NEWEST = { runIds: ['0c11d001-0000-4000-8000-000000000001', '0c11d009-0000-4000-8000-000000000002'] };
const BEFORE = { runIds: ['5f0c1a2b-0000-4000-8000-000000000003'] };
const OLDEST = { runIds: ['5f0c1aff-0000-4000-8000-000000000004'] };
const JOBS = [NEWEST, BEFORE, OLDEST];

describe('a run reference', () => {
  test.each([
    ['-1', [BEFORE]],
    ['-2', [OLDEST]],
    ['-3', []],
    ['0c11d001', [NEWEST]],
    ['0c11d009', [NEWEST]],
    ['5f0c1a', [BEFORE, OLDEST]],
    ['5f0c1a2', [BEFORE]],
    ['5f0c1a2b-0000-4000-8000-000000000003', [BEFORE]],
    ['ffffff', []],
  ])('%s means these jobs', (run, meant) => {
    expect(jobsMeant(JOBS, run)).toEqual(meant);
  });

  test.each(['-1', '-20', '5f0c1a', '5f0c1a2b-0000-4000-8000-000000000003'])('%s is valid', (text) => {
    expect(isRunReference(text)).toBe(true);
  });

  test.each(['', '-0', '-', '1', '12345', '5f0c', 'newest', '5F0C1A'])('%j is invalid', (text) => {
    expect(isRunReference(text)).toBe(false);
  });
});

describe('a short run id', () => {
  test('has the milliseconds of the start of its run', () => expect(shortRunLength(BEFORE.runIds)).toBe(13));
  test('is as long as needed to distinguish runs', () =>
    expect(shortRunLength(['5f0c1a2b-0000-01', '5f0c1a2b-0000-02', '5f0c1a2b-0000-02'])).toBe(16));
});
