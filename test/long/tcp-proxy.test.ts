import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { TcpProxy } from './tcp-proxy.ts';

let server: Server;
let served: Socket[];
let proxy: TcpProxy;
const clients: Socket[] = [];

beforeEach(async () => {
  served = [];
  server = createServer((socket) => {
    served.push(socket.on('error', () => undefined));
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await TcpProxy.open((server.address() as AddressInfo).port);
});

afterEach(async () => {
  for (const socket of [...clients.splice(0), ...served]) socket.destroy();
  await proxy.close();
  server.close();
});

interface Talker {
  readonly socket: Socket;
  received(): string;
}

function talk(word: string): Talker {
  let received = '';
  const socket = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  clients.push(socket);
  socket.write(word);
  return { socket, received: () => received };
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

const untilReceived = (talker: Talker, words: string) =>
  eventually(`it receives ${words}`, () => talker.received() === words, { everyMs: 5 });

it('a proxy passes on the bytes and the end of a connection', async () => {
  const talker = talk('hello');
  await untilReceived(talker, 'hello');
  talker.socket.end();
  await closed(talker.socket);
  await eventually('no connection is left', () => proxy.links.length === 0);
});

it('a proxy cuts a connection, which both ends notice', async () => {
  const talker = talk('a');
  await untilReceived(talker, 'a');
  const bothClosed = [closed(talker.socket), closed(served[0]!)];
  proxy.cut(proxy.links[0]!);
  await Promise.all(bothClosed);
});

it('a proxy delays, and loses nothing', async () => {
  const talker = talk('a');
  await untilReceived(talker, 'a');
  proxy.delay(proxy.links[0]!, 100);
  talker.socket.write('b');
  const before = performance.now();
  await untilReceived(talker, 'ab');
  // There and back.
  expect(performance.now() - before).toBeGreaterThan(190);
});

it('a proxy leaves a connection half open: neither end receives anything from the other, not even its end', async () => {
  const talker = talk('a');
  await untilReceived(talker, 'a');
  proxy.halfOpen(proxy.links[0]!, ['there', 'back']);
  talker.socket.write('b');
  served[0]!.destroy();
  await closed(served[0]!);
  const other = talk('c');
  await untilReceived(other, 'c');
  expect([talker.received(), talker.socket.closed]).toEqual(['a', false]);
  const isClosed = closed(talker.socket);
  proxy.heal();
  await isClosed;
});

it('a partition separates a process from its server, also new connections, until it heals', async () => {
  const before = talk('a');
  await untilReceived(before, 'a');
  proxy.partition();
  const during = talk('b');
  await eventually('it is connected', () => proxy.links.length === 2);
  before.socket.write('b');
  const bothClosed = [closed(before.socket), closed(during.socket)];
  proxy.heal();
  await Promise.all(bothClosed);
  expect([before.received(), during.received()]).toEqual(['a', '']);
  await untilReceived(talk('c'), 'c');
});

it('a proxy refuses new connections, and leaves the others', async () => {
  const before = talk('a');
  await untilReceived(before, 'a');
  proxy.refuse();
  const refused = talk('b');
  await eventually('it is refused', () => refused.socket.closed);
  before.socket.write('c');
  await untilReceived(before, 'ac');
});
