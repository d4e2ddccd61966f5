import { describe, expect, it } from '@jest/globals';
import { onFreePort } from '../../worker/free-port.ts';

/** As the SDK's core says it. */
const IN_USE = 'Failed to start prometheus metrics exporter: Address already in use (os error 98)';

describe('listening on a free port', () => {
  it('takes another one if a process takes it first', async () => {
    const tried: number[] = [];
    const port = await onFreePort((one) => {
      tried.push(one);
      if (tried.length < 3) throw new Error(IN_USE);
      return one;
    });
    expect(port).toBe(tried.at(-1));
    expect(tried).toHaveLength(3);
  });

  it.each([
    ['gives up after five', IN_USE, 5],
    ['does not try again after another error', 'invalid address', 1],
  ])('%s', async (_what, message, times) => {
    let calls = 0;
    const listen = () => {
      calls++;
      throw new Error(message);
    };
    await expect(onFreePort(listen)).rejects.toThrow(message);
    expect(calls).toBe(times);
  });
});
