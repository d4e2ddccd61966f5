import { expect, it } from '@jest/globals';
import { ServerAwayError } from '../../client/errors/errors.ts';
import { Kept } from '../../console/reading/kept.ts';

const READ = { server: 'temporal', what: 'test' } as const;
const away = () => Promise.reject(new ServerAwayError('Temporal', 'fake:7233', new Error('refused')));

it('a value is read once for many who ask at the same time, and while it is fresh', async () => {
  const kept = new Kept<number>({ read: READ, freshMs: 60_000, most: 10 });
  let readings = 0;
  const ask = () => kept.get('a', async () => ++readings);
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect([...answers, await ask()].map(({ value }) => value)).toEqual(Array.from({ length: 21 }, () => 1));
  kept.expire('a');
  expect((await ask()).value).toBe(2);
});

it('what cannot be read any more stays, with the reason; what was never read is not there', async () => {
  const kept = new Kept<string>({ read: READ, freshMs: 0, most: 10 });
  const { at } = await kept.get('a', async () => 'first');
  expect(await kept.get('a', away)).toMatchObject({ value: 'first', at, error: { code: 'ServerAway' } });
  await expect(kept.get('b', away)).rejects.toThrow('fake:7233');
});

it('an answer that there is nothing takes the place of what was read', async () => {
  const kept = new Kept<string>({ read: READ, freshMs: 0, most: 10 });
  await kept.get('a', async () => 'first');
  await expect(kept.get('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});

it('only so many values are kept', async () => {
  const kept = new Kept<string>({ read: READ, freshMs: 60_000, most: 2 });
  for (const key of ['a', 'b', 'c']) await kept.get(key, async () => key);
  expect((await kept.get('a', async () => 'again')).value).toBe('again');
  expect((await kept.get('c', async () => 'again')).value).toBe('c');
});
