import { describe, expect, test } from '@jest/globals';
import { resolveSettings, type Sources } from '../../../cli/settings/settings.ts';
import type { ArchiveSettings, EvidenceSettings } from '../../../contracts/settings.ts';

const none: Sources = { flags: {}, env: {}, sandbox: () => undefined };
const resolve = (sources: Partial<Sources>) => resolveSettings({ ...none, ...sources });
const sandbox = () => ({
  temporalAddress: '127.0.0.1:17233',
  kubeconfig: '/box/kubeconfig',
  evidenceDirectory: '/box/evidence',
  archiveDirectory: '/box/archive',
});

test('by default, Temporal is on this machine and the cluster is that of kubectl', () => {
  expect(resolve({})).toMatchObject({
    temporal: { address: 'localhost:7233', namespace: 'default', tls: undefined },
    cluster: { kubeconfig: undefined, connections: 64 },
    taskQueue: 'signalbox',
    logLevel: 'info',
    completionMs: 2_000,
    scanIntervalMs: 30_000,
  });
});

describe('the first source of a setting counts:', () => {
  const env = { TEMPORAL_ADDRESS: 'env:1' };
  test.each<[string, Partial<Sources>, string, string]>([
    ['a flag', { flags: { temporalAddress: 'flag:1' }, env, sandbox }, 'flag:1', '--temporal-address'],
    ['a variable', { env, sandbox }, 'env:1', 'TEMPORAL_ADDRESS'],
    ['the sandbox', { sandbox }, '127.0.0.1:17233', 'sandbox'],
    ['the default', {}, 'localhost:7233', 'default'],
  ])('%s', (_what, sources, address, origin) => {
    const settings = resolve(sources);
    expect(settings.temporal.address).toBe(address);
    expect(settings.origins.temporalAddress).toBe(origin);
  });
});

describe('the sandbox', () => {
  test('brings its cluster too, unless another is named', () => {
    expect(resolve({ sandbox }).cluster.kubeconfig).toBe('/box/kubeconfig');
    const named = resolve({ sandbox, env: { SIGNALBOX_KUBECONFIG: '/mine' } });
    expect(named.cluster.kubeconfig).toBe('/mine');
    expect(named.temporal.address).toBe('127.0.0.1:17233');
  });

  test('is ignored if Temporal is configured elsewhere', () => {
    const settings = resolve({ env: { TEMPORAL_ADDRESS: 'prod:7233' }, sandbox });
    expect(settings.cluster.kubeconfig).toBeUndefined();
  });
});

describe('the place of the evidence', () => {
  const directory = '/home/ada/.local/state/signalbox/evidence';
  const bucket = { SIGNALBOX_EVIDENCE_STORE: 's3', SIGNALBOX_EVIDENCE_BUCKET: 'evidence' };
  test.each<[string, Partial<Sources>, EvidenceSettings]>([
    ['in the user’s state directory', { env: { HOME: '/home/ada' } }, { store: 'files', directory }],
    [
      'where XDG says that it is',
      { env: { HOME: '/home/ada', XDG_STATE_HOME: '/state' } },
      { store: 'files', directory: '/state/signalbox/evidence' },
    ],
    [
      'where Temporal’s address is the sandbox’s, as after the exports of `sandbox up`',
      { sandbox, env: { TEMPORAL_ADDRESS: '127.0.0.1:17233', KUBECONFIG: '/box/kubeconfig' } },
      { store: 'files', directory: '/box/evidence' },
    ],
    ['with the sandbox', { sandbox }, { store: 'files', directory: '/box/evidence' }],
    [
      'where a flag says, also with a sandbox',
      { sandbox, flags: { evidenceDir: '/mine' } },
      { store: 'files', directory: '/mine' },
    ],
    [
      'in a bucket',
      {
        env: { ...bucket, SIGNALBOX_EVIDENCE_PREFIX: 'team', SIGNALBOX_EVIDENCE_ENDPOINT: 'http://s3:9000' },
      },
      { store: 's3', bucket: 'evidence', prefix: 'team', endpoint: 'http://s3:9000' },
    ],
  ])('%s', (_where, sources, evidence) => {
    expect(resolve(sources).jobs.evidence).toEqual(evidence);
  });

  test('is no bucket without a name', () => {
    expect(() => resolve({ env: { SIGNALBOX_EVIDENCE_STORE: 's3' } })).toThrow(
      'SIGNALBOX_EVIDENCE_BUCKET: expected the name of a bucket for the evidence store s3, got none',
    );
  });
});

describe('the place of the archive', () => {
  const directory = '/home/ada/.local/state/signalbox/archive';
  test.each<[string, Partial<Sources>, ArchiveSettings['store']]>([
    ['in the user’s state directory', { env: { HOME: '/home/ada' } }, { store: 'files', directory }],
    ['with the sandbox', { sandbox }, { store: 'files', directory: '/box/archive' }],
    [
      'where a flag says',
      { sandbox, flags: { archiveDir: '/mine' } },
      { store: 'files', directory: '/mine' },
    ],
    [
      'in a bucket',
      {
        env: {
          SIGNALBOX_ARCHIVE_STORE: 's3',
          SIGNALBOX_ARCHIVE_BUCKET: 'jobs',
          SIGNALBOX_ARCHIVE_PREFIX: 'a',
        },
      },
      { store: 's3', bucket: 'jobs', prefix: 'a' },
    ],
    ['nowhere', { env: { SIGNALBOX_ARCHIVE_STORE: 'none' } }, undefined],
  ])('%s', (_where, sources, store) => {
    expect(resolve(sources).archive.store).toEqual(store);
  });

  test('is no bucket without a name, and needs no name with a space', () => {
    const env = { SIGNALBOX_ARCHIVE_STORE: 's3', SIGNALBOX_ARCHIVE_NAME: 'our archive' };
    expect(() => resolve({ env })).toThrow(
      'SIGNALBOX_ARCHIVE_BUCKET: expected the name of a bucket for the archive store s3, got none',
    );
    expect(() => resolve({ env })).toThrow('SIGNALBOX_ARCHIVE_NAME: expected a name like');
  });
});

test('an API key, a certificate or the name of the server means TLS', () => {
  const tls = { TEMPORAL_TLS_CLIENT_CERT_PATH: '/c.pem', TEMPORAL_TLS_CLIENT_KEY_PATH: '/c.key' };
  expect(resolve({ env: tls }).temporal.tls).toEqual({ certFile: '/c.pem', keyFile: '/c.key' });
  expect(resolve({ env: { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/ca' } }).temporal.tls).toEqual({
    caFile: '/ca',
  });
  expect(resolve({ env: { TEMPORAL_TLS_SERVER_NAME: 'ml.temporal.example' } }).temporal.tls).toEqual({
    serverName: 'ml.temporal.example',
  });
  expect(resolve({ env: { TEMPORAL_TLS: 'true' } }).temporal.tls).toEqual({});
  expect(resolve({ env: { TEMPORAL_API_KEY: 'k' } }).temporal.apiKey).toBe('k');
});

test('a worker takes its version from the variables of Temporal’s worker controller', () => {
  const env = { TEMPORAL_DEPLOYMENT_NAME: 'ml/signalbox', TEMPORAL_WORKER_BUILD_ID: 'signalbox-1.4.0-7d9f' };
  expect(resolve({ env }).deployment).toEqual({
    ...{ name: 'ml/signalbox', buildId: 'signalbox-1.4.0-7d9f' },
    upgrade: 'auto-upgrade',
  });
  expect(() => resolve({ env: { TEMPORAL_DEPLOYMENT_NAME: 'ml.signalbox' } })).toThrow(
    'TEMPORAL_DEPLOYMENT_NAME: expected letters, digits, dashes, underscores and slashes, 255 at most',
  );
});

describe('the namespaces that are served', () => {
  const served = (given: string) => resolve({ env: { SIGNALBOX_NAMESPACES: given } }).cluster.namespaces;

  test.each([
    ['team-a', ['team-a']],
    ['team-a,team-b', ['team-a', 'team-b']],
    ['team-a, team-b', ['team-a', 'team-b']],
  ])('of %j are %j', (given, expected) => {
    expect(served(given)).toEqual(expected);
  });

  test('are all by default', () => {
    expect(resolve({}).cluster.namespaces).toBeUndefined();
  });

  test.each([
    ['an empty entry', 'team-a,,team-b'],
    ['an empty entry at the end', 'team-a,'],
    ['a name twice', 'team-a,team-b,team-a'],
    ['what is no DNS label', 'team-a,Team_B'],
    ['a name that is too long', 'a'.repeat(64)],
  ])('are not %s', (_, given) => {
    expect(() => served(given)).toThrow(
      `SIGNALBOX_NAMESPACES: expected namespaces with commas between them, each once, e.g. team-a,team-b, got "${given}"`,
    );
  });
});

test('all faults are reported together, each by its source', () => {
  const env = {
    SIGNALBOX_CONNECTIONS: '0',
    SIGNALBOX_HTTP_PORT: 'http',
    TEMPORAL_ADDRESS: 'nowhere',
    TEMPORAL_TLS_CLIENT_CERT_PATH: '/only-one',
  };
  expect(() => resolve({ env, flags: { logLevel: 'loud' } })).toThrow(
    [
      'Some settings are invalid:',
      '  TEMPORAL_ADDRESS: expected host:port, got "nowhere"',
      '  SIGNALBOX_CONNECTIONS: expected an integer from 1 to 512, got "0"',
      '  --log-level: expected debug, info, warn or error, got "loud"',
      '  SIGNALBOX_HTTP_PORT: expected a port from 0 to 65535, got "http"',
      '  TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH: expected both or none, got one',
    ].join('\n'),
  );
});
