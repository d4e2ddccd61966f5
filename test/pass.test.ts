import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { BY_PATH, type FileCounts, filesOf, inCheckout, summarize, withSecondTry } from './pass.ts';

const failed = (file: string): FileCounts => ({ file, passed: 2, failed: 1, skipped: 0 });
const passed = (file: string): FileCounts => ({ file, passed: 3, failed: 0, skipped: 0 });
const SCENARIO = 'test/scenarios/b.scenario.test.ts';
const REAL_NODE = 'test/node/c.real.ts';
const first = [passed('a'), failed(SCENARIO)];
const again = jest.fn<(files: readonly string[]) => Promise<readonly FileCounts[]>>();

describe('a test file that failed', () => {
  const { CI, SIGNALBOX_SECOND_TRY } = process.env;

  beforeEach(() => {
    process.env.CI = 'true';
    delete process.env.SIGNALBOX_SECOND_TRY;
    again.mockReset();
    jest.spyOn(console, 'log').mockImplementation(() => undefined);
  });

  afterEach(() => {
    for (const [name, value] of Object.entries({ CI, SIGNALBOX_SECOND_TRY }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    jest.restoreAllMocks();
  });

  it('on real servers counts as passed if it passes again alone, and is named at the end', async () => {
    again.mockResolvedValue([passed(SCENARIO)]);
    const results = await withSecondTry(first, again);
    expect(again).toHaveBeenCalledWith([SCENARIO]);
    expect(summarize(results)).toBe(0);
    expect(console.log).toHaveBeenLastCalledWith(`passed only at its second try: ${SCENARIO}`);
  });

  it('fails the run by night, also if it passes again alone', async () => {
    process.env.SIGNALBOX_SECOND_TRY = 'fails';
    again.mockResolvedValue([passed(SCENARIO)]);
    expect(summarize([passed('a')])).toBe(0);
    expect(summarize(await withSecondTry(first, again))).toBe(1);
  });

  it('counts as failed if it fails again', async () => {
    again.mockResolvedValue([failed(SCENARIO)]);
    const results = await withSecondTry(first, again);
    expect(results).toEqual(first);
    expect(summarize(results)).toBe(1);
  });

  it('counts as failed if it could not run again', async () => {
    again.mockResolvedValue([]);
    expect(await withSecondTry(first, again)).toEqual(first);
  });

  it('runs again only if it is on real servers', async () => {
    again.mockResolvedValue([passed(SCENARIO), passed(REAL_NODE)]);
    const others = ['test/queue/random-days.test.ts', 'test/cli/bin.program.test.ts', 'unit tests'].map(
      failed,
    );
    const results = await withSecondTry([...others, failed(SCENARIO), failed(REAL_NODE)], again);
    expect(again).toHaveBeenCalledWith([SCENARIO, REAL_NODE]);
    expect(results).toEqual(expect.arrayContaining(others));
    expect(summarize(results)).toBe(1);
  });

  it.each([
    ['all passed', [passed('a')]],
    ['more failed than do by chance', [...'abcdef'].map((name) => failed(`${name}.scenario.test.ts`))],
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

it('all property tests of a run have its seed', () => {
  const { SIGNALBOX_SEED } = process.env;
  expect(SIGNALBOX_SEED).toMatch(/^\d+$/);
  expect(fc.check(fc.property(fc.nat(), () => true)).seed).toBe(Number(SIGNALBOX_SEED));
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
