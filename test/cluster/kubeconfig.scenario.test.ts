import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ClusterClient } from '../../cluster/client.ts';
import { ClusterConfigError } from '../../cluster/errors.ts';
import { NAMESPACES } from '../../contracts/kubernetes.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';

/** What a kubeconfig may say of the way to the API server, on a real one. */

let stage: Stage;
let dir: string;
/** What the sandbox's own kubeconfig says of its cluster. */
let own: { readonly server: string; readonly 'certificate-authority-data': string };
let port: number;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  stage = await openStage();
  dir = await mkdtemp(join(tmpdir(), 'signalbox-kubeconfig-'));
  const { clusters } = JSON.parse(await readFile(stage.sandbox.kubeconfig, 'utf8'));
  own = clusters[0].cluster;
  port = Number(new URL(own.server).port);
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

afterAll(async () => {
  await stage?.close();
  await rm(dir, { recursive: true, force: true });
});

/** As the sandbox's, but for what is said of its cluster. */
async function clientOf(cluster: object): Promise<ClusterClient> {
  const config = JSON.parse(await readFile(stage.sandbox.kubeconfig, 'utf8'));
  config.clusters[0].cluster = cluster;
  const kubeconfig = join(dir, 'config');
  await writeFile(kubeconfig, JSON.stringify(config));
  const client = await ClusterClient.connect({ kubeconfig });
  closing.push(() => client.close());
  return client;
}

it('a client without a pool uses one connection for each request, and loses only that one', async () => {
  const protocols: unknown[] = [];
  const onConnected = (message: unknown) =>
    void protocols.push((message as { socket: { alpnProtocol: unknown } }).socket.alpnProtocol);
  subscribe('undici:client:connected', onConnected);
  closing.push(() => unsubscribe('undici:client:connected', onConnected));
  const client = await clientOf(own);
  await Promise.all([asks(client), asks(client), asks(client)]);
  expect(protocols).toEqual(['http/1.1', 'http/1.1', 'http/1.1']);
});

const asks = async (client: ClusterClient) =>
  (await client.get(NAMESPACES, undefined, stage.namespace)).metadata.name;

async function listenOn(server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function joinSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
  }
}

describe('a kubeconfig', () => {
  it('says for which name the certificate is, if not that of the URL', async () => {
    const relay = createTcpServer((socket) => joinSockets(socket, connect(port, '127.0.0.1')));
    const server = `https://127.0.0.2:${await listenOn(relay, '127.0.0.2')}`;
    await expect(asks(await clientOf({ ...own, server }))).rejects.toThrow(/altnames|does not match/);
    const named = await clientOf({ ...own, server, 'tls-server-name': 'kubernetes' });
    expect(await asks(named)).toBe(stage.namespace);
  });

  it('names a proxy, through which everything goes', async () => {
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', (request, socket: Socket) => {
      tunnels.push(request.url ?? '');
      const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      joinSockets(socket, onward);
    });
    const client = await clientOf({ ...own, 'proxy-url': `http://127.0.0.1:${await listenOn(proxy)}` });
    expect(await asks(client)).toBe(stage.namespace);
    expect(new Set(tunnels)).toEqual(new Set([`127.0.0.1:${port}`]));
  });

  it('names no proxy of another kind', async () => {
    const client = clientOf({ ...own, 'proxy-url': 'ftp://127.0.0.1:21' });
    await expect(client).rejects.toThrow(ClusterConfigError);
    await expect(client).rejects.toThrow(/proxy-url: expected a URL that begins with http/);
  });

  it('names files, which are read again after they were replaced', async () => {
    const authority = join(dir, 'ca.crt');
    await writeFile(authority, rootCertificates[0]!);
    const client = await clientOf({ server: own.server, 'certificate-authority': authority });
    await expect(asks(client)).rejects.toThrow(/certificate/);
    await writeFile(authority, Buffer.from(own['certificate-authority-data'], 'base64'));
    expect(await asks(client)).toBe(stage.namespace);
  });
});
