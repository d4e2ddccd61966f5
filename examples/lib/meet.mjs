// Pods meet over TCP: each tells its name to those that it calls, and hears theirs.
import { createServer } from 'node:net';
import { dial, openChannel } from './channel.mjs';

const DEADLINE_MS = 60_000;

/** In a full mesh everybody calls everybody else. `pods` are `{ name, host, port }`; who is among them listens there. */
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

/**
 * Listens at `host` and `port` for the pods named in `expects`, and calls those in `calls`. Nobody leaves before all
 * that call it have met everybody they have to meet.
 */
async function meet({ name, host, port, calls = [], expects = [] }) {
  const guests = expects.length > 0 ? receiveAll({ name, host, port, expects }) : undefined;
  const answered = Promise.all(calls.map((peer) => call(name, peer)));
  await Promise.all([guests, answered.then(sayGoodbye)]);
  const peers = new Set([...calls.map((peer) => peer.name), ...expects]);
  console.log(`met ${[...peers].join(', ') || 'nobody, as there is nobody else'}`);
}

async function call(name, peer) {
  const channel = await dial({ host: peer.host, port: peer.port });
  channel.send({ name });
  const answer = await channel.receive();
  if (answer.name === peer.name) return channel;
  channel.close();
  throw new Error(`expected ${peer.name} at ${peer.host}:${peer.port}, ${answer.name} answered`);
}

function sayGoodbye(channels) {
  for (const channel of channels) {
    channel.send({ done: true });
    channel.close();
  }
}

/** Until each of those that are expected has told its name, and later that it is done. */
async function receiveAll({ name, host, port, expects }) {
  const missing = new Set(expects);
  const server = createServer().listen(port, host);
  let timer;
  try {
    await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${[...missing].join(', ')} did not come`)), DEADLINE_MS);
      server.on('error', reject);
      server.on('connection', async (socket) => {
        try {
          missing.delete(await receive(openChannel(socket), { name, expects }));
          if (missing.size === 0) resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
  } finally {
    clearTimeout(timer);
    server.close();
  }
}

async function receive(channel, { name, expects }) {
  const guest = await channel.receive();
  if (!expects.includes(guest.name)) {
    channel.close();
    throw new Error(`${guest.name} called, and is none of ${expects.join(', ')}`);
  }
  channel.send({ name });
  await channel.receive(); // that it is done
  channel.close();
  return guest.name;
}
