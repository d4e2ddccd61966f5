import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { post } from '../../notify/delivery/post.ts';
import { ReachableAddresses } from '../../notify/delivery/reachable.ts';
import { AwaitsTurn, Turns } from '../../notify/turns.ts';
import { eventually } from '../eventually.ts';
import { HttpReceiver } from '../scenarios/receivers.ts';

let http: HttpReceiver;
beforeAll(async () => {
  http = await HttpReceiver.start();
  http.answer('/hangs', 'hangs');
});
afterAll(() => http.close());

const send = (path: string) => () =>
  post({ url: http.urlOf(path), headers: {}, body: '{}' }, new ReachableAddresses(['127.0.0.1/32']));

it('a receiver that hangs keeps two messages, and holds up no other receiver', async () => {
  const turns = new Turns();
  const turn = { leastMs: 0, now: 0 };
  const hanging = Array.from({ length: 100 }, () =>
    turns.take('slow', turn, send('/hangs')).catch((error: unknown) => error),
  );
  const waiting = await Promise.race([Promise.all(hanging.slice(2)), Promise.all(hanging.slice(0, 2))]);
  expect(waiting).toHaveLength(98);
  expect(waiting.every((one) => one instanceof AwaitsTurn && one.retryAfterMs === 5_000)).toBe(true);
  await eventually('both were sent', () => http.at('/hangs').length === 2);
  for (let index = 0; index < 20; index++)
    expect(await turns.take('fast', turn, send('/works'))).toMatchObject({ status: 200 });
  expect(http.at('/works')).toHaveLength(20);
  expect(http.at('/hangs')).toHaveLength(2);
});

it('a receiver gets the next message after its pause, and once one of two is answered', async () => {
  const turns = new Turns();
  const done = () => Promise.resolve('done');
  await turns.take('chat', { leastMs: 1_000, now: 0 }, done);
  await expect(turns.take('chat', { leastMs: 1_000, now: 400 }, done)).rejects.toMatchObject({
    retryAfterMs: 600,
  });
  expect(await turns.take('chat', { leastMs: 1_000, now: 1_000 }, done)).toBe('done');
  await turns
    .take('hook', { leastMs: 0, now: 0 }, () => Promise.reject(new Error('no')))
    .catch(() => undefined);
  await turns
    .take('hook', { leastMs: 0, now: 0 }, () => Promise.reject(new Error('no')))
    .catch(() => undefined);
  expect(await turns.take('hook', { leastMs: 0, now: 0 }, done)).toBe('done');
});
