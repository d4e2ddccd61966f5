import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePrograms } from '@signalbox/sandbox';
import { stringify } from 'yaml';
import type { TemporalSettings } from '../../contracts/settings.ts';
import { freePort } from '../../worker/free-port.ts';
import { serverConfig } from '../temporal-server/server-config.ts';

/**
 * A Temporal server that knows its callers: with the default authorizer, the default mapper of JWT claims, and principals
 * in its histories. The dev server has none of these.
 */
export interface AuthorizingServer {
  /** Settings of a client, with a token that the server believes. */
  settingsOf(subject: string, permissions?: readonly string[]): TemporalSettings;
  stop(): Promise<void>;
}

const SERVICES = ['frontend', 'internal-frontend', 'history', 'matching', 'worker'];
const NAMESPACE = 'default';

export async function startAuthorizingServer(): Promise<AuthorizingServer> {
  const { 'temporal-server': program } = await ensurePrograms({ names: ['temporal-server'] });
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-authorizing-'));
  const tokens = await createTokens(folder);
  const certificate = createCertificate(folder);
  const port = await freePort();
  await writeFile(join(folder, 'dynamic.yaml'), stringify(DYNAMIC));
  await writeFile(join(folder, 'config.yaml'), stringify(await configOf(folder, port)));
  const args = ['--config-file', join(folder, 'config.yaml'), 'start'];
  const output = openSync(join(folder, 'server.log'), 'w');
  const child = spawn(program, [...args, ...SERVICES.flatMap((name) => ['--service', name])], {
    stdio: ['ignore', output, output],
  });
  const ended = once(child, 'exit');
  return {
    settingsOf: (subject, permissions = [`${NAMESPACE}:write`]) => ({
      address: `127.0.0.1:${port}`,
      namespace: NAMESPACE,
      apiKey: tokens.sign(subject, permissions),
      tls: { caFile: certificate },
    }),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Tokens {
  sign(subject: string, permissions: readonly string[]): string;
}

const KEY_ID = 'test';

/** The server trusts this key only: ES256, which its claim mapper accepts beside RS256. */
async function createTokens(folder: string): Promise<Tokens> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256', use: 'sig' };
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: [key] }));
  return { sign: (subject, permissions) => tokenOf(privateKey, { sub: subject, permissions }) };
}

function tokenOf(key: KeyObject, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const expires = Math.floor(Date.now() / 1000) + 3_600;
  const signed = `${part({ alg: 'ES256', typ: 'JWT', kid: KEY_ID })}.${part({ ...claims, exp: expires })}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

/** A token goes over TLS only. */
function createCertificate(folder: string): string {
  const file = (name: string) => join(folder, name);
  const request = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ];
  // The worker's TLS refuses the certificate of an authority as a server's.
  const isNone = ['-addext', 'basicConstraints=critical,CA:FALSE'];
  const names = ['-subj', '/CN=temporal', '-addext', 'subjectAltName=IP:127.0.0.1', ...isNone];
  const files = ['-keyout', file('tls.key'), '-out', file('tls.crt')];
  execFileSync('openssl', [...request, ...names, ...files], { stdio: 'pipe' });
  return file('tls.crt');
}

const DYNAMIC = {
  'frontend.enablePrincipalPropagation': [{ value: true }],
  'system.forceSearchAttributesCacheRefreshOnRead': [{ value: true }],
};

async function configOf(folder: string, port: number): Promise<object> {
  const store = {
    ...{ pluginName: 'sqlite', databaseName: 'default', connectAddr: 'localhost', connectProtocol: 'tcp' },
    ...{ user: '', password: '', maxConns: 1, maxIdleConns: 1, maxConnLifetime: '1h' },
    connectAttributes: { mode: 'memory', cache: 'private' },
  };
  return serverConfig({
    ...{ port, services: SERVICES, historyShards: 1 },
    stores: { main: store, visibility: store },
    global: {
      authorization: {
        jwtKeyProvider: { keySourceURIs: [`file://${folder}/keys.json`] },
        ...{ permissionsClaimName: 'permissions', authorizer: 'default', claimMapper: 'default' },
      },
      tls: { frontend: { server: { certFile: `${folder}/tls.crt`, keyFile: `${folder}/tls.key` } } },
    },
    dynamicConfig: join(folder, 'dynamic.yaml'),
  });
}
