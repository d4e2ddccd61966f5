import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { resolveSettings } from '../../cli/settings/settings.ts';
import { SETTINGS } from '../../cli/settings/settings-table.ts';
import { ROOT, readYaml } from './manifests.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly hostname?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly restart?: string;
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly volumes?: readonly unknown[];
  readonly logging?: unknown;
  readonly configs?: readonly [{ readonly source: string; readonly target: string }];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}

const { services, networks, configs } = readYaml('docker-compose.yml') as Compose;
const all = Object.entries(services);
/** Some services wait for the end of these, others for those that stay. */
const ending = new Set(
  all.flatMap(([, { depends_on = {} }]) =>
    Object.entries(depends_on).flatMap(([name, { condition }]) =>
      condition === 'service_completed_successfully' ? [name] : [],
    ),
  ),
);
/** The command line ends when it has answered. */
const lasting = all.filter(([name]) => name !== 'cli' && !ending.has(name));
/** `${NAME:-value}`: the value. */
const defaultOf = (text: string) => text.replace(/^\$\{\w+:-(.*)\}$/, '$1');
const ours = all.filter(([, { image }]) => defaultOf(image).startsWith('signalbox:'));
const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

describe('every service', () => {
  test.each(all)(
    '%s has an image that can be replaced, pinned to a version, and known networks',
    (_, service) => {
      expect(service.image).toMatch(/^\$\{[A-Z_]+_IMAGE:-/);
      expect(defaultOf(service.image)).toMatch(/^[a-z0-9./-]+:v?\d+\.\d+[\w.-]*$/);
      for (const network of service.networks ?? []) expect(networks).toHaveProperty(network);
    },
  );

  test.each(lasting)('%s restarts, has a health check, and waits for healthy or ended ones', (_, service) => {
    expect(service.restart).toBe('unless-stopped');
    expect(service.healthcheck?.test?.length).toBeGreaterThan(1);
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      if (ending.has(needed)) continue;
      expect(services[needed]?.healthcheck).toBeDefined();
      expect(condition).toBe('service_healthy');
    }
  });

  test.each(all)('%s keeps a limited log, by the driver that every engine has', (_, service) => {
    expect(service.logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
  });

  test.each(all)('%s opens ports to this machine only', (_, { ports = [] }) => {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

describe('every service of signalbox', () => {
  test.each(ours)('%s has settings that the command line knows and accepts', (_, { environment = {} }) => {
    const known = Object.values(SETTINGS).map(({ env }): string => env);
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, defaultOf(value)]),
    );
    expect(() => resolveSettings({ flags: {}, env, sandbox: () => undefined })).not.toThrow();
  });

  test.each(ours)('%s has a read-only disk and no privileges', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });
});

test('the watcher has neither the archive nor its private key', () => {
  const volumes = (name: string) => services[name]?.volumes?.map((one) => JSON.stringify(one)) ?? [];
  const of = (name: string, part: string) => volumes(name).some((one) => one.includes(part));
  expect([of('worker', 'record'), of('watcher', 'record'), of('watcher', 'kubeconfig')]).toEqual([
    true,
    false,
    true,
  ]);
});

describe('.env.example', () => {
  const example = new Map(
    readFileSync(join(ROOT, '.env.example'), 'utf8')
      .split('\n')
      .flatMap((line) => (/^\w+=/.test(line) ? [line.split('=') as [string, string]] : [])),
  );

  test('lists every variable of the compose file, with its default', () => {
    const used = [...text.matchAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g)];
    expect([...example.keys()].sort()).toEqual([...new Set(used.map(([, name]) => name!))].sort());
    for (const [, name, kind, value] of used) expect(example.get(name!)).toBe(kind === '-' ? value : '');
  });

  test('holds no secret: a missing one is an error', () => {
    const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    expect(required).toEqual(new Set(['POSTGRES_PASSWORD']));
  });
});

test('only Temporal reaches the database', () => {
  expect(networks.database?.internal).toBe(true);
  const members = all.filter(([, service]) => service.networks?.includes('database')).map(([name]) => name);
  expect(members).toEqual(['postgres', 'temporal-schema', 'temporal']);
});

describe('Temporal', () => {
  const { environment } = services.temporal!;

  test('is found at every address that it has', () => {
    expect(services.temporal!.networks).toHaveLength(2);
    expect(environment).toMatchObject({ BIND_ON_IP: '0.0.0.0', TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1' });
  });

  test('has the file without which it does not start', () => {
    const [{ source, target }] = services.temporal!.configs!;
    expect(environment).toHaveProperty('DYNAMIC_CONFIG_FILE_PATH', target);
    expect(parse(configs[source]!.content)).toEqual({
      'limit.maxIDLength': [{ value: 255 }],
      'matching.numTaskqueueReadPartitions': [{ value: 1 }],
      'matching.numTaskqueueWritePartitions': [{ value: 1 }],
    });
  });

  test('has databases of its version before, and a namespace before worker and watcher', () => {
    expect([...ending].sort()).toEqual(['cluster-access', 'temporal-namespace', 'temporal-schema']);
    expect(Object.keys(services.temporal!.depends_on!)).toEqual(['temporal-schema']);
    for (const name of ['worker', 'watcher'])
      expect(services[name]!.depends_on).toHaveProperty('temporal-namespace');
    const versions = ['temporal', 'temporal-schema', 'temporal-namespace'].map(
      (name) => defaultOf(services[name]!.image).split(':')[1],
    );
    expect(new Set(versions).size).toBe(1);
  });
});

describe('the profile cluster', () => {
  const bound = services.worker!.volumes!.find((volume) => typeof volume === 'object') as {
    readonly source: string;
  };
  const kubeconfig = readYaml(defaultOf(bound.source)) as {
    readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }];
    readonly users: readonly [{ readonly user: Readonly<Record<string, string>> }];
  };

  test('alone has a cluster, which nobody else waits for', () => {
    const members = all.filter(([, { profiles }]) => profiles?.includes('cluster')).map(([name]) => name);
    expect(members).toEqual(['cluster', 'cluster-access']);
    for (const name of ['worker', 'watcher'])
      expect(services[name]!.depends_on!['cluster-access']).toEqual({
        condition: 'service_completed_successfully',
        required: false,
      });
  });

  test('has its kubeconfig by default, with the name and the files of the cluster', () => {
    const { server, ...authority } = kubeconfig.clusters[0].cluster;
    expect(server).toBe(`https://${services.cluster!.hostname}:6443`);
    expect(services.cluster!.command).toContain(`--tls-san=${services.cluster!.hostname}`);
    const script = services['cluster-access']!.command!.join('\n');
    for (const path of Object.values({ ...authority, ...kubeconfig.users[0].user })) {
      expect(dirname(path)).toBe('/etc/signalbox/cluster');
      expect(script).toContain(basename(path));
    }
  });
});
