import { describe, expect, it } from '@jest/globals';
import { MOST_BYTES, pagedAnswer, wholeAnswer } from '../../rpc/paging.ts';
import { allOf } from '../record/archive/all-of.ts';

interface Item {
  readonly id: number;
  readonly text: string;
}

/** Items of so many kilobytes. */
const items = (count: number, kilobytes: number): Item[] =>
  Array.from({ length: count }, (_, id) => ({ id, text: 'x'.repeat(kilobytes * 1_000) }));

const paging = { keyOf: ({ id }: Item) => String(id), command: 'signalbox history train' };
const page = (all: readonly Item[], cursor?: string, limit?: number) =>
  pagedAnswer(all, { ...paging, cursor, limit });

async function* pagesOf(all: readonly Item[], limit?: number) {
  for (let cursor: string | undefined; ; ) {
    const answer = await page(all, cursor, limit);
    yield (answer.result as Item[]).map(({ id }) => id);
    cursor = answer.cursor;
    if (cursor === undefined) return;
  }
}

describe('a list', () => {
  it('that fits into an answer is one page', async () => {
    expect(await page(items(3, 1))).toEqual({ result: items(3, 1) });
    expect(await page([])).toEqual({ result: [] });
  });

  it('that is larger has several, each of about half a megabyte', async () => {
    expect(await allOf(pagesOf(items(7, 150)))).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
  });

  it('has at most as many items as are asked for, over all pages', async () => {
    expect(await allOf(pagesOf(items(7, 150), 5))).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
    expect(await allOf(pagesOf(items(7, 150), 3))).toEqual([[0, 1, 2]]);
    expect(await page(items(1, 1), undefined, 0)).toEqual({ result: [] });
  });

  it('continues after the same item if new ones come before it', async () => {
    const { cursor } = await page(items(7, 150));
    const { result } = await page([{ id: 100, text: 'new' }, ...items(7, 150)], cursor);
    expect((result as Item[]).map(({ id }) => id)).toEqual([3, 4, 5]);
  });

  it('begins anew if the item of its cursor is gone', async () => {
    const { cursor } = await page(items(7, 150));
    await expect(page(items(2, 1), cursor)).rejects.toMatchObject({
      code: 'Refused',
      remedy: 'Ask again from the first page.',
    });
  });

  it('may have an item that is larger than a page, but not one that Temporal refuses', async () => {
    const large = [...items(1, 1), { id: 5, text: 'x'.repeat(MOST_BYTES - 100) }, ...items(1, 1)];
    expect((await allOf(pagesOf(large))).map((ids) => ids.length)).toEqual([1, 1, 1]);
    await expect(page([{ id: 5, text: 'x'.repeat(MOST_BYTES) }])).rejects.toMatchObject({
      code: 'Refused',
      message: expect.stringContaining(`Temporal takes at most ${MOST_BYTES}`),
      remedy: 'Read it without Temporal: signalbox history train',
    });
  });
});

it.each(['', 'nonsense', Buffer.from('[1]').toString('base64url')])(
  'refuses %j, which is no cursor',
  async (cursor) => {
    await expect(page([], cursor)).rejects.toThrow(
      `cursor: expected that of an earlier answer, got "${cursor}"`,
    );
  },
);

it('refuses an answer that Temporal refuses', () => {
  expect(() => wholeAnswer('x'.repeat(MOST_BYTES), 'signalbox get train')).toThrow('The answer has');
  expect(wholeAnswer('short', '')).toEqual({ result: 'short' });
});
