import { describe, expect, test } from '@jest/globals';
import { resolveSettings } from '../../cli/settings/settings.ts';
import { SETTINGS } from '../../cli/settings/settings-table.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { clusterManifests, findManifest, mpiManifests, type Settings } from './manifests.ts';

interface Deployment extends KubeObject {
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly serviceAccountName: string;
  readonly securityContext: object;
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    readonly securityContext: object;
    readonly resources: object;
    readonly [probe: string]: unknown;
  }[];
}

const settings = findManifest<Settings>('ConfigMap', 'signalbox-settings').data;

test('the command line accepts all settings of the manifests', () => {
  const known = Object.values(SETTINGS).map(({ env }): string => env);
  expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([]);
  const resolved = resolveSettings({ flags: {}, env: settings, sandbox: () => undefined });
  expect(resolved).toMatchObject({
    http: { host: '0.0.0.0', port: 9464 },
    leaseNamespace: 'signalbox-system',
  });
});

describe.each(['worker', 'watcher'])('the pods of the %s', (part) => {
  const { spec } = findManifest<Deployment>('Deployment', `signalbox-${part}`).spec.template;
  const [container] = spec.containers;

  test('run as their own account, without root, privileges or a disk to write to', () => {
    expect(spec.serviceAccountName).toBe(`signalbox-${part}`);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('are probed where the settings say that they listen', () => {
    expect(container?.args).toEqual([part]);
    expect(container?.ports).toEqual([{ name: 'http', containerPort: Number(settings.SIGNALBOX_HTTP_PORT) }]);
    const port = 'http';
    expect(container?.livenessProbe).toMatchObject({ httpGet: { path: '/healthz', port } });
    expect(container?.readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port } });
    expect(container?.startupProbe).toMatchObject({ httpGet: { path: '/healthz', port } });
  });

  test('have bounded memory', () => {
    expect(container?.resources).toMatchObject({ limits: { memory: expect.any(String) } });
  });

  test('are never all evicted at once', () => {
    const budget = findManifest<KubeObject>('PodDisruptionBudget', `signalbox-${part}`);
    expect(budget.spec).toMatchObject({ minAvailable: 1 });
  });
});

test('worker and watcher have a Secret of their own beside the common one: only workers get the private key of the archive and write access to buckets', () => {
  const secretsOf = (part: string) => {
    const { containers } = findManifest<Deployment>('Deployment', `signalbox-${part}`).spec.template.spec;
    const from = containers[0]?.envFrom as readonly { readonly secretRef?: { readonly name: string } }[];
    return from.flatMap(({ secretRef }) => secretRef?.name ?? []);
  };
  expect(secretsOf('worker')).toEqual(['signalbox-secrets', 'signalbox-worker-secrets']);
  expect(secretsOf('watcher')).toEqual(['signalbox-secrets', 'signalbox-watcher-secrets']);
});

test('no role has a wildcard', () => {
  const roles = [...clusterManifests(), ...mpiManifests()].filter(({ kind }) => kind.endsWith('Role'));
  expect(JSON.stringify(roles)).not.toContain('"*"');
});
