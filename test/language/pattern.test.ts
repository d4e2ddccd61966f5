import { describe, expect, it } from '@jest/globals';
import { compilePattern } from '../../language/pattern.ts';

describe('a pattern matches', () => {
  it.each<[string, string, string | undefined]>([
    ['step=(\\d+)', 'epoch=1 step=40 loss=0.3', '40'],
    ['step=\\d+', 'epoch=1 step=40 loss=0.3', 'step=40'],
    ['step=(\\d+)', 'starting', undefined],
    ['(?P<step>\\d+) of (\\d+)', '7 of 9', '7'],
    ['(done)|step', 'step', 'step'],
    ['(x*)y', 'y', ''],
    ['CUDA out of memory', 'CUDA \u001b[1mout of\u001b[0m memory', 'CUDA out of memory'],
    ['^step=(\\d+)$', '\u001b[2K\u001b[32mstep=7\u001b[0m', '7'],
    ['(?i)cuda error', 'RuntimeError: CUDA error: out of memory', 'CUDA error'],
  ])('with %s in %j: %j', (source, text, found) => {
    expect(compilePattern(source).find(text)).toBe(found);
  });

  it('the same text on each call', () => {
    const { find } = compilePattern('a');
    expect([find('a a'), find('a'), find('b'), find('a')]).toEqual(['a', 'a', undefined, 'a']);
  });

  it('nothing, in linear time, where a backtracking engine would not return', () => {
    expect(compilePattern('(a+)+$').find(`${'a'.repeat(10_000)}b`)).toBeUndefined();
  });
});

describe('a pattern is refused', () => {
  it.each([
    ['(', 'missing closing )'],
    ['a(?=b)', 'invalid or unsupported Perl syntax'],
    ['(a)\\1', 'invalid escape sequence'],
    ['((a{100}){100}){100}', 'invalid repeat count'],
    ['(.{1000}|b{1000})'.repeat(50), 'too large'],
  ])('if it is not valid in RE2, or too large to search with: %s', (source, why) => {
    expect(() => compilePattern(source)).toThrow(why);
  });
});
