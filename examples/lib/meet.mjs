// Pods meet over TCP: each tells its name to those that it calls, and hears theirs.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 60_000;
const PAUSE_MS = 100;
const DONE = 'done';

/**
 * Listens at `host` and `port` for the pods named in `expects`, and calls those in `calls` (`{ name, host, port }`).
 * Nobody leaves before all that belong to it have met everybody; fails after a minute.
 */
export async function meet({ name, host, port, calls = [], expects = [] }) {
  const until = Date.now() + DEADLINE_MS;
  const lines = Promise.all(calls.map((peer) => call(name, peer, until)));
  const guests = expects.length > 0 ? receive({ name, host, port, expects }) : undefined;
  for (const line of await Promise.race([lines, failureOf(guests)])) line.end(`${DONE}\n`);
  await guests;
  const peers = [...new Set([...calls.map((peer) => peer.name), ...expects])];
  console.log(`met ${peers.join(', ') || 'nobody, as there is nobody else'}`);
}

/** In a full mesh everybody calls everybody else. */
export function meetAll({ name, host }, pods) {
  const { port } = pods.find((pod) => pod.name === name);
  const others = pods.filter((pod) => pod.name !== name);
  return meet({ name, host, port, calls: others, expects: others.map((pod) => pod.name) });
}

/** Where only one address is known, all others call there: `center` is `{ name, host, port }`. */
export function meetAt(center, { name, host }, names) {
  const others = names.filter((other) => other !== center.name);
  return name === center.name
    ? meet({ name, host, port: center.port, expects: others })
    : meet({ name, calls: [center] });
}

/** Tries again and again: peers start in any order. */
async function call(name, peer, until) {
  for (;;) {
    const socket = connect({ host: peer.host, port: peer.port });
    try {
      await once(socket, 'connect');
      socket.write(`${name}\n`);
      const [answer] = await once(createInterface(socket), 'line', { signal: hungUp(socket) });
      if (answer === peer.name) return socket;
      throw new WrongPeerError(`expected ${peer.name} at ${peer.host}:${peer.port}, ${answer} answered`);
    } catch (error) {
      socket.destroy();
      if (error instanceof WrongPeerError) throw error;
      if (Date.now() > until)
        throw new Error(`${peer.name} does not answer at ${peer.host}:${peer.port}: ${error.message}`);
      await delay(PAUSE_MS);
    }
  }
}

class WrongPeerError extends Error {}

/** Until each of those that are expected has told its name, and later that it is done. */
async function receive({ name, host, port, expects }) {
  const missing = new Set(expects);
  const server = createServer().listen(port, host);
  let timer;
  await new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${[...missing].join(', ')} did not come`)), DEADLINE_MS);
    server.on('error', reject);
    server.on('connection', async (socket) => {
      try {
        missing.delete(await welcome(socket, name, expects));
        if (missing.size === 0) resolve();
      } catch (error) {
        reject(error);
      }
    });
  });
  clearTimeout(timer);
  server.close();
}

async function welcome(socket, name, expects) {
  let guest;
  for await (const line of createInterface(socket)) {
    if (guest && line === DONE) {
      socket.end().resume();
      return guest;
    }
    guest = line;
    if (!expects.includes(guest)) throw new Error(`${guest} called, which is not one of ${expects.join(', ')}`);
    socket.write(`${name}\n`);
  }
  throw new Error(`${guest ?? 'somebody'} hung up too early`);
}

function hungUp(socket) {
  const controller = new AbortController();
  socket.once('close', () => controller.abort());
  return controller.signal;
}

/** Never resolves; rejects as the promise does. */
const failureOf = (promise) => new Promise((_, reject) => promise?.catch(reject));
