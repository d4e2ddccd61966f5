// A ring of processes: each sends to the next and receives from the one before. Rank 0 introduces them to each other.
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 60_000;
const BACK_OFF_MS = { first: 100, most: 2_000 };

/** Meets the others at MASTER_ADDR:MASTER_PORT and closes the ring; fails after a minute without them. */
export async function joinRing({ rank, world, env, say }) {
  if (world === 1) return { allReduce: async (values) => values, close() {} };
  const deadline = Date.now() + DEADLINE_MS;
  const master = { host: env.MASTER_ADDR ?? 'localhost', port: Number(env.MASTER_PORT ?? 23456) };
  // On a machine of many addresses the manifest says which one is this pod's (a fieldRef to status.podIP).
  const own = env.POD_IP ?? (rank === 0 ? await resolve(master.host, deadline) : undefined);
  const { peers, address, door } =
    rank === 0 ? await introduce(world, own, master.port) : await beIntroduced(rank, own, master, deadline);
  const next = await dial({ ...peers[(rank + 1) % world], localAddress: address }, deadline);
  const [previous] = await door.guest;
  door.server.close();
  next.setNoDelay(true);
  say(`joined a ring of ${world} as ${address}`);
  return createRing({ rank, world, next, inbox: createInbox(previous) });
}

/** Rank 0: waits until all have said where they listen, then tells everybody. */
async function introduce(world, address, port) {
  const desk = createServer().listen(port, address);
  await once(desk, 'listening');
  const door = await openDoor(address);
  const peers = [{ host: address, port: door.port }];
  const guests = [];
  const giveUp = AbortSignal.timeout(DEADLINE_MS);
  while (guests.length < world - 1) {
    const [guest] = await once(desk, 'connection', { signal: giveUp }).catch(() => {
      throw new Error(`expected ${world - 1} peers within ${DEADLINE_MS / 1000} s, ${guests.length} came`);
    });
    guests.push(greet(guest, peers));
  }
  const sockets = await Promise.all(guests);
  for (const socket of sockets) socket.end(`${JSON.stringify(peers)}\n`);
  desk.close();
  return { peers, address, door };
}

async function greet(socket, peers) {
  const { rank, ...place } = await readLine(socket);
  peers[rank] = place;
  return socket;
}

async function beIntroduced(rank, own, master, deadline) {
  const socket = await dial({ ...master, localAddress: own }, deadline);
  const address = own ?? socket.localAddress;
  const door = await openDoor(address);
  socket.write(`${JSON.stringify({ rank, host: address, port: door.port })}\n`);
  const peers = await readLine(socket);
  socket.end();
  return { peers, address, door };
}

/** Where the rank before comes in; it may do so before this rank has heard of the others itself. */
async function openDoor(host) {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const guest = once(server, 'connection', { signal: AbortSignal.timeout(DEADLINE_MS) });
  guest.catch(() => undefined); // the code that waits for it hears of it
  return { server, port: server.address().port, guest };
}

/** Tries again, ever more slowly: peers start in any order, and names appear when their pods do. */
async function dial(target, deadline) {
  for (let pause = BACK_OFF_MS.first; ; pause = Math.min(pause * 2, BACK_OFF_MS.most)) {
    const socket = connect(target);
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      socket.destroy();
      if (Date.now() + pause > deadline)
        throw new Error(`${target.host}:${target.port} does not answer: ${error.message}`);
      await delay(pause);
    }
  }
}

async function resolve(name, deadline) {
  for (;;) {
    try {
      return (await lookup(name)).address;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(BACK_OFF_MS.first);
    }
  }
}

async function readLine(socket) {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.endsWith('\n')) return JSON.parse(text);
  }
  throw new Error('a peer hung up before it had introduced itself');
}

/**
 * Sums arrays over all ranks in 2 (world - 1) rounds; each rank sends 2 (world - 1) / world of its data, however many
 * take part. Each piece is summed up in one order and then handed round, so all ranks get the same bits.
 */
function createRing({ rank, world, next, inbox }) {
  const lost = new Promise((_resolve, reject) => {
    next.once('error', (error) => reject(new Error(`lost rank ${(rank + 1) % world}: ${error.message}`)));
    next.once('close', () => reject(new Error(`lost rank ${(rank + 1) % world}: it hung up`)));
  });
  lost.catch(() => undefined); // only of interest while something is under way
  next.resume();
  const exchange = async (outgoing, length) => {
    next.write(Buffer.from(outgoing.slice().buffer));
    const bytes = await Promise.race([inbox.read(length * Float64Array.BYTES_PER_ELEMENT), lost]);
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  };
  return {
    async allReduce(values) {
      const bound = (piece) => Math.floor((values.length * piece) / world);
      const piece = (i) => values.subarray(bound((i + world) % world), bound(((i + world) % world) + 1));
      for (let round = 0; round < world - 1; round++) {
        const mine = piece(rank - round - 1);
        const received = await exchange(piece(rank - round), mine.length);
        for (let i = 0; i < mine.length; i++) mine[i] += received[i];
      }
      for (let round = 0; round < world - 1; round++) {
        const mine = piece(rank - round);
        mine.set(await exchange(piece(rank - round + 1), mine.length));
      }
      return values;
    },
    close() {
      next.end();
    },
  };
}

/** Exactly as many bytes as asked for, whatever the pieces in which they come. */
function createInbox(socket) {
  const chunks = socket[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  return {
    async read(length) {
      while (held.length < length) {
        const { value, done } = await chunks.next();
        if (done) throw new Error('lost the rank before: it hung up');
        held = Buffer.concat([held, value]);
      }
      const bytes = held.subarray(0, length);
      held = held.subarray(length);
      return bytes;
    },
  };
}
