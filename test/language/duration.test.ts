import { describe, expect, it } from '@jest/globals';
import { formatDuration, parseDuration } from '../../language/duration.ts';

const HOUR = 3_600_000;

describe('a duration', () => {
  it.each([
    [-5, '0s'],
    [0, '0s'],
    [99, '0s'],
    [400, '0.4s'],
    [2_590, '2.5s'],
    [4_000, '4s'],
    [9_999, '9.9s'],
    [10_900, '10s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [200_000, '3m20s'],
    [HOUR + 5_000, '1h'],
    [7_500_000, '2h5m'],
    [76 * HOUR + 59_000, '3d4h'],
    [400 * 24 * HOUR, '400d'],
  ])('of %d ms is written as %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  it.each([
    [0, '0s'],
    [1, '0.001s'],
    [2_590, '2.59s'],
    [90_061_500, '1d1h1m1.5s'],
    [HOUR + 5_000, '1h5s'],
  ])('of %d ms is exactly %s, and is parsed again', (ms, text) => {
    expect(formatDuration(ms, { isExact: true })).toBe(text);
    expect(parseDuration(text)).toBe(ms);
  });

  it('survives formatting and parsing', () => {
    for (let ms = 0; ms < 40 * 24 * HOUR; ms = ms * 1.37 + 7) {
      const text = formatDuration(ms);
      expect([text, formatDuration(parseDuration(text))]).toEqual([text, text]);
      expect(parseDuration(formatDuration(ms, { isExact: true }))).toBe(Math.floor(ms));
    }
  });
});
