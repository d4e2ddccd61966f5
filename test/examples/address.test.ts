import { expect, it } from '@jest/globals';

const MODULE = new URL('../../examples/lib/address.mjs', import.meta.url).href;
const { addressOf } = (await import(MODULE)) as {
  addressOf(name: string, look: (name: string) => Promise<{ address: string }>): Promise<string>;
};

it('a name that DNS does not know yet is looked up again', async () => {
  const answers = [new Error('getaddrinfo ENOTFOUND'), new Error('getaddrinfo EAI_AGAIN'), undefined];
  const asked: string[] = [];
  const look = async (name: string) => {
    asked.push(name);
    const error = answers.shift();
    if (error) throw error;
    return { address: '10.1.2.3' };
  };
  expect(await addressOf('train-launcher.train.ml.svc', look)).toBe('10.1.2.3');
  expect(asked).toHaveLength(3);
});
