import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensurePrograms } from '@signalbox/sandbox';
import { publishSize } from '../../../activities/objects/elastic-size.ts';
import { freePort } from '../../../worker/free-port.ts';
import { eventually } from '../../eventually.ts';

/** A real etcd, as elastic launchers of Paddle use one. */

let server: string;
let data: string;
let etcd: ChildProcess;

beforeAll(async () => {
  const { etcd: program } = await ensurePrograms({ names: ['etcd'] });
  data = await mkdtemp(join(tmpdir(), 'signalbox-etcd-'));
  server = `http://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const addresses = [
    ...['--listen-client-urls', server, '--advertise-client-urls', server],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`],
  ];
  etcd = spawn(program, ['--data-dir', data, ...addresses], { stdio: 'ignore' });
  await eventually('etcd answers', async () => (await fetch(`${server}/health`)).ok);
});

afterAll(async () => {
  const exited = once(etcd, 'exit');
  etcd.kill('SIGTERM');
  await exited;
  await rm(data, { recursive: true, force: true });
});

const encoded = (text: string) => Buffer.from(text).toString('base64');

async function ask(what: 'range' | 'put', body: object) {
  const answer = await fetch(`${server}/v3/kv/${what}`, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as { kvs?: { value: string; version: string }[] };
}

async function read(key: string) {
  const [entry] = (await ask('range', { key: encoded(key) })).kvs ?? [];
  return entry && { value: Buffer.from(entry.value, 'base64').toString(), version: entry.version };
}

it('changes the number that a launcher has written, once', async () => {
  const key = '/paddle/ml-train/np';
  await ask('put', { key: encoded(key), value: encoded('2') });
  await publishSize({ servers: [server], key, size: 4 });
  await publishSize({ servers: [server], key, size: 4 });
  expect(await read(key)).toEqual({ value: '4', version: '2' });
});

it('writes nothing where no launcher has written a number', async () => {
  const key = '/paddle/ml-nobody/np';
  await publishSize({ servers: [server], key, size: 4 });
  expect(await read(key)).toBeUndefined();
});

it('asks the next server if one does not answer, and names those that did not', async () => {
  const key = '/paddle/ml-other/np';
  const dead = `http://127.0.0.1:${await freePort()}`;
  await ask('put', { key: encoded(key), value: encoded('2') });
  await publishSize({ servers: [dead, server], key, size: 3 });
  expect(await read(key)).toMatchObject({ value: '3' });
  await expect(publishSize({ servers: [dead], key, size: 3 })).rejects.toThrow(dead);
});
