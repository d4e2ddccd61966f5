import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { resolveSettings } from '../../cli/settings/settings.ts';
import { SETTINGS } from '../../cli/settings/settings-table.ts';
import { ROOT, readYaml } from './manifests.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
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
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

const { services, networks } = readYaml('docker-compose.yml') as Compose;
const all = Object.entries(services);
const lasting = all.filter(([, { profiles }]) => !profiles);
const ours = all.filter(([, { image }]) => image.startsWith('signalbox:'));
const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

describe('every service', () => {
  test.each(all)('%s has an image pinned to a version, and known networks', (_, service) => {
    expect(service.image).toMatch(/^[a-z0-9./-]+:\d+\.\d+[\w.-]*$/);
    for (const network of service.networks ?? []) expect(networks).toHaveProperty(network);
  });

  test.each(lasting)('%s restarts, has a health check, and waits for healthy ones', (_, service) => {
    expect(service.restart).toBe('unless-stopped');
    expect(service.healthcheck?.test?.length).toBeGreaterThan(1);
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(services[needed]?.healthcheck).toBeDefined();
      expect(condition).toBe('service_healthy');
    }
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
      Object.entries(environment).map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]),
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
    expect(required).toEqual(new Set(['POSTGRES_PASSWORD', 'KUBECONFIG_FILE']));
  });
});

test('only Temporal reaches the database', () => {
  expect(networks.database?.internal).toBe(true);
  const members = all.filter(([, service]) => service.networks?.includes('database')).map(([name]) => name);
  expect(members).toEqual(['postgres', 'temporal']);
});
