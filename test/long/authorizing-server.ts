import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { TemporalSettings } from '../../contracts/settings.ts';
import { freePort } from '../../worker/free-port.ts';

/**
 * A Temporal server that knows its callers: with the default authorizer, the default mapper of JWT claims, and principals
 * in its histories. The dev server has none of these. Built from the Go proxy once, in 5 minutes on 2 busy cores.
 */
export interface AuthorizingServer {
  /** Settings of a client, with a token that the server believes. */
  settingsOf(subject: string, permissions?: readonly string[]): TemporalSettings;
  stop(): Promise<void>;
}

const VERSION = '1.32.1';
const MODULE = fileURLToPath(new URL('temporal-server', import.meta.url));
const PROGRAM = fileURLToPath(
  new URL(`../../.signalbox/programs/temporal-server-${VERSION}`, import.meta.url),
);
const NAMESPACE = 'default';

export async function startAuthorizingServer(): Promise<AuthorizingServer> {
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-authorizing-'));
  const tokens = await createTokens(folder);
  const certificate = createCertificate(folder);
  const port = await freePort();
  await writeFile(join(folder, 'dynamic.yaml'), stringify(DYNAMIC));
  await writeFile(join(folder, 'config.yaml'), stringify(await configOf(folder, port)));
  const services = ['frontend', 'internal-frontend', 'history', 'matching', 'worker'];
  const args = ['--config-file', join(folder, 'config.yaml'), 'start'];
  const output = openSync(join(folder, 'server.log'), 'w');
  const child = spawn(PROGRAM, [...args, ...services.flatMap((name) => ['--service', name])], {
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

/** go.sum verifies every source. */
async function build(): Promise<void> {
  if (existsSync(PROGRAM)) return;
  await mkdir(join(PROGRAM, '..'), { recursive: true });
  const draft = `${PROGRAM}.${process.pid}.part`;
  const args = [
    'build',
    '-mod=readonly',
    '-ldflags',
    '-s -w',
    '-o',
    draft,
    'go.temporal.io/server/cmd/server',
  ];
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOWORK: 'off' };
  const go = spawn('go', args, { cwd: MODULE, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(go, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`go build of Temporal's server ${VERSION} failed with exit code ${code}`);
  await rename(draft, PROGRAM);
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
  const sql = {
    ...{ pluginName: 'sqlite', databaseName: 'default', connectAddr: 'localhost', connectProtocol: 'tcp' },
    ...{ user: '', password: '', maxConns: 1, maxIdleConns: 1, maxConnLifetime: '1h' },
    connectAttributes: { mode: 'memory', cache: 'private' },
  };
  const service = async (grpcPort?: number) => ({
    rpc: {
      grpcPort: grpcPort ?? (await freePort()),
      membershipPort: await freePort(),
      bindOnLocalHost: true,
    },
  });
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      ...{ defaultStore: 'main', visibilityStore: 'visibility', numHistoryShards: 1 },
      datastores: { main: { sql }, visibility: { sql } },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      authorization: {
        jwtKeyProvider: { keySourceURIs: [`file://${folder}/keys.json`] },
        ...{ permissionsClaimName: 'permissions', authorizer: 'default', claimMapper: 'default' },
      },
      tls: { frontend: { server: { certFile: `${folder}/tls.crt`, keyFile: `${folder}/tls.key` } } },
    },
    services: {
      frontend: await service(port),
      'internal-frontend': await service(),
      history: await service(),
      matching: await service(),
      worker: await service(),
    },
    clusterMetadata: {
      ...{ enableGlobalNamespace: false, failoverVersionIncrement: 10 },
      ...{ masterClusterName: 'active', currentClusterName: 'active' },
      clusterInformation: {
        active: {
          ...{ enabled: true, initialFailoverVersion: 1, rpcName: 'frontend' },
          rpcAddress: `localhost:${port}`,
        },
      },
    },
    dynamicConfigClient: { filepath: join(folder, 'dynamic.yaml'), pollInterval: '10s' },
  };
}
