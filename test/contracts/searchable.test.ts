import { describe, expect, it } from '@jest/globals';
import { searchableLabels, searchableText } from '../../contracts/searchable.ts';

const withLabels = (labels: unknown) => ({ metadata: { name: 'train', labels } });

describe('searchable labels', () => {
  it('are pairs of key and value, sorted', () => {
    expect(searchableLabels(withLabels({ team: 'vision', stage: 'dev' }))).toEqual([
      'stage=dev',
      'team=vision',
    ]);
  });

  it.each([
    ['no manifest', undefined],
    ['a manifest without metadata', {}],
    ['metadata without labels', withLabels(undefined)],
    ['labels that are a list', withLabels(['team'])],
    ['a label that is no text', withLabels({ team: 7 })],
    ['a label with a control character', withLabels({ team: 'a\nb' })],
    ['a label that is longer than a keyword', withLabels({ team: 'a'.repeat(300) })],
  ])('are none of %s', (_, manifest) => {
    expect(searchableLabels(manifest)).toEqual([]);
  });

  it('are as many as Temporal accepts in one search attribute', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`label-${index}`, 'é'.repeat(20)]),
    );
    const found = searchableLabels(withLabels(many));
    expect(found.length).toBeGreaterThan(20);
    expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThanOrEqual(2_048);
  });
});

it('a searchable text has no control characters and the length limit of a keyword', () => {
  expect(searchableText(`ana\u0000${'x'.repeat(300)}`)).toBe(`ana${'x'.repeat(252)}`);
});
