import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BY_PATH, type FileCounts, filesOf, inCheckout, withSecondTry } from './pass.ts';

const failed = (file: string): FileCounts => ({ file, passed: 2, failed: 1, skipped: 0 });
const passed = (file: string): FileCounts => ({ file, passed: 3, failed: 0, skipped: 0 });
const first = [passed('a'), failed('b')];
const again = jest.fn<(files: readonly string[]) => Promise<readonly FileCounts[]>>();

describe('a test file that failed', () => {
  const { CI } = process.env;

  beforeEach(() => {
    process.env.CI = 'true';
    again.mockReset();
    jest.spyOn(console, 'log').mockImplementation(() => undefined);
  });

  afterEach(() => {
    if (CI === undefined) delete process.env.CI;
    else process.env.CI = CI;
    jest.restoreAllMocks();
  });

  it('counts as passed if it passes again alone, and is reported', async () => {
    again.mockResolvedValue([passed('b')]);
    expect(await withSecondTry(first, again)).toEqual([passed('a'), passed('b')]);
    expect(again).toHaveBeenCalledWith(['b']);
    expect(console.log).toHaveBeenCalledWith(expect.stringContaining('ran again: b'));
  });

  it('counts as failed if it fails again', async () => {
    again.mockResolvedValue([failed('b')]);
    expect(await withSecondTry(first, again)).toEqual(first);
    expect(console.log).not.toHaveBeenCalled();
  });

  it('counts as failed if it could not run again', async () => {
    again.mockResolvedValue([]);
    expect(await withSecondTry(first, again)).toEqual(first);
  });

  it.each([
    ['all passed', [passed('a')]],
    ['more failed than do by chance', [...'abcdef'].map(failed)],
  ])('does not run again when %s', async (_, results) => {
    expect(await withSecondTry(results, again)).toEqual(results);
    expect(again).not.toHaveBeenCalled();
  });

  it('does not run again on a developer’s machine', async () => {
    delete process.env.CI;
    expect(await withSecondTry(first, again)).toEqual(first);
    expect(again).not.toHaveBeenCalled();
  });
});

it('a pattern of files means those of the checkout, in whatever folder that is', () => {
  const [pattern, ...others] = inCheckout(['chaos', '-t', 'chaos'], '/home/chaos (2)/');
  expect(others).toEqual(['-t', 'chaos']);
  expect('/home/chaos (2)/test/long/chaos.long.ts').toMatch(new RegExp(pattern!));
  expect('/home/chaos (2)/test/long/walks.long.ts').not.toMatch(new RegExp(pattern!));
  expect(inCheckout(['/a/b.test.ts'])).toEqual(['/a/b.test.ts']);
});

it('paths of files stay as they are', () => {
  const failed = ['test/pass.test.ts'];
  expect(filesOf({ name: 'second-try', args: [BY_PATH] }, failed)).toEqual(failed);
  expect(filesOf({ name: 'unit' }, failed)).toEqual(inCheckout(failed));
});
