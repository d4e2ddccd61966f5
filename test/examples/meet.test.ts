import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';

interface Peer {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}
type Self = Pick<Peer, 'name' | 'host'>;

const MODULE = new URL('../../examples/lib/meet.mjs', import.meta.url).href;
const { meetAll, meetAt } = (await import(MODULE)) as {
  meetAll(self: Self, pods: readonly Peer[]): Promise<void>;
  meetAt(center: Peer, self: Self, names: readonly string[]): Promise<void>;
};

const HOST = '127.0.0.1';

async function peers(...names: string[]): Promise<Peer[]> {
  return Promise.all(names.map(async (name) => ({ name, host: HOST, port: await freePort() })));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

let said: string[];

beforeEach(() => {
  said = [];
  jest.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
});

describe('pods of the examples', () => {
  it('connect in a full mesh, whoever starts first', async () => {
    const pods = await peers('a', 'b', 'c');
    await Promise.all([...pods].reverse().map((pod) => meetAll(pod, pods)));
    expect(said.sort()).toEqual(['met a, b', 'met a, c', 'met b, c']);
  });

  it('connect at the one whose address all know', async () => {
    const [center] = await peers('a');
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => meetAt(center!, { name, host: HOST }, names)));
    expect(said.sort()).toEqual(['met a', 'met a', 'met b, c']);
  });

  it('refuse a stranger at a peer’s address', async () => {
    const [center, other] = (await peers('a', 'b')) as [Peer, Peer];
    const stranger = meetAt(other, other, ['b', 'c']);
    const meeting = meetAt({ ...center, port: other.port }, { name: 'c', host: HOST }, ['a', 'c']);
    await expect(meeting).rejects.toThrow(`expected a at ${HOST}:${other.port}, b answered`);
    await expect(stranger).rejects.toThrow('the other side hung up');
  });

  it('refuse a stranger that does not belong to them', async () => {
    const [center] = (await peers('a')) as [Peer];
    const meeting = meetAt(center, center, ['a', 'b']);
    const stranger = meetAt(center, { name: 'c', host: HOST }, ['a', 'c']);
    await expect(meeting).rejects.toThrow('c called, and is none of b');
    await expect(stranger).rejects.toThrow('the other side hung up');
  });
});
