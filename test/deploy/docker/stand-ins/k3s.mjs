#!/usr/local/bin/node
// In the place of k3s: answers at its address, with certificates where k3s puts them, for an API server that is elsewhere.
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import { pipeline } from 'node:stream';

const [, , command, ...flags] = process.argv;
if (command !== 'server' || !flags.includes('--tls-san=cluster'))
  throw new Error(
    `expected a server whose certificate names cluster, got ${process.argv.slice(2).join(' ')}`,
  );

const FILES = '/etc/stand-in';
const TLS = '/var/lib/rancher/k3s/server/tls';
mkdirSync(TLS, { recursive: true, mode: 0o700 });
for (const name of ['server-ca.crt', 'client-admin.crt', 'client-admin.key'])
  cpSync(`${FILES}/${name}`, `${TLS}/${name}`);

const read = (name) => readFileSync(`${FILES}/${name}`, 'utf8');
const api = JSON.parse(read('api.json'));
const own = { key: read('server.key'), cert: read('server.crt'), ca: read('server-ca.crt') };

createServer({ ...own, requestCert: true, rejectUnauthorized: true }, (from, answer) => {
  const headers = { ...from.headers, host: 'kubernetes', authorization: `Bearer ${api.token}` };
  const { host, port, ca } = api;
  const { method, url: path } = from;
  const to = request({ host, port, ca, servername: 'kubernetes', method, path, headers }, (found) => {
    answer.writeHead(found.statusCode, found.headers);
    pipeline(found, answer, () => undefined);
  });
  to.on('error', () => answer.destroy());
  pipeline(from, to, () => undefined);
}).listen(6443);

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
