import { describe, expect, it } from '@jest/globals';
import { nearest } from '../../language/did-you-mean.ts';

const NAMES = ['train', 'eval', 'train-resnet'];

describe('a misspelt name gets the known one that was probably meant', () => {
  it.each([
    ['a letter too few', 'tran', 'train'],
    ['a letter too many', 'evall', 'eval'],
    ['another letter', 'treinn-resnet', 'train-resnet'],
    ['two neighbours that are swapped', 'trian', 'train'],
    ['swapped at the end of a short one', 'evla', 'eval'],
    ['another case', 'Train', 'train'],
    ['its beginning', 'train-r', 'train-resnet'],
  ])('%s: %s', (_what, given, meant) => {
    expect(nearest(given, NAMES)).toBe(meant);
  });

  it.each(['lave', 'x', 'inart', ''])('%j is near none', (given) => {
    expect(nearest(given, NAMES)).toBeUndefined();
  });
});
