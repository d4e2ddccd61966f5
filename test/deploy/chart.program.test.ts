import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { resolveSettings } from '../../cli/settings/settings.ts';
import { SETTINGS } from '../../cli/settings/settings-table.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { type Installer, openInstallers } from './installers.ts';
import { NAMESPACE, ROOT, readYaml, type Settings } from './manifests.ts';

/** The chart, without a cluster. */

const CHART = 'charts/signalbox';
const ADDRESS = '--set=temporal.address=temporal-frontend.temporal:7233';
const CASES = readdirSync(join(ROOT, CHART, 'ci'));

let helm: Installer;
let kubectl: Installer;

beforeAll(async () => {
  ({ helm, kubectl } = await openInstallers());
}, 1_200_000);

const objectsIn = (text: string): KubeObject[] =>
  parseAllDocuments(text, { merge: true }).flatMap(
    (document) => (document.toJS() as KubeObject | null) ?? [],
  );

interface Release {
  readonly name?: string;
  readonly namespace?: string;
}

const render = async (
  options: readonly string[],
  { name = 'signalbox', namespace = NAMESPACE }: Release = {},
): Promise<KubeObject[]> =>
  objectsIn(await helm('template', name, CHART, '-n', namespace, '--skip-tests', ...options));

const refusal = (...options: readonly string[]) =>
  render([ADDRESS, ...options]).then(
    () => 'nothing is refused',
    (error: Error) => error.message,
  );

describe.each(CASES)('%s', (file) => {
  const values = `--values=${CHART}/ci/${file}`;

  test('has no warnings', async () => {
    expect(await helm('lint', '--strict', CHART, values)).toContain('0 chart(s) failed');
  });

  test('gives settings that the command line accepts', async () => {
    const settings = (await render([values])).find(({ kind }) => kind === 'ConfigMap') as Settings;
    const known = Object.values(SETTINGS).map(({ env }): string => env);
    expect(Object.keys(settings.data).filter((name) => !known.includes(name))).toEqual([]);
    expect(() => resolveSettings({ flags: {}, env: settings.data, sandbox: () => undefined })).not.toThrow();
  });
});

/** What a release adds of its own, and what only its namespace is. */
const OF_HELM = [
  ...['app.kubernetes.io/instance', 'app.kubernetes.io/managed-by', 'helm.sh/chart'],
  ...['checksum/settings', 'helm.sh/resource-policy'],
];

const nameOf = ({ kind, metadata }: KubeObject) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

function comparable(objects: readonly KubeObject[]): Record<string, KubeObject> {
  const withoutHelm = (name: string, value: unknown) => {
    if (OF_HELM.includes(name)) return undefined;
    return name === 'annotations' && Object.keys(value as object).every((one) => OF_HELM.includes(one))
      ? undefined
      : value;
  };
  const plain = JSON.parse(JSON.stringify(objects, withoutHelm)) as KubeObject[];
  return Object.fromEntries(
    plain.filter(({ kind }) => kind !== 'Namespace').map((object) => [nameOf(object), object]),
  );
}

const NOTIFIES = ['enabled=true', 'routesConfigMap=signalbox-routes', 'secret=signalbox-notify'].map(
  (one) => `--set=notifications.${one}`,
);
const POLICIES = ['rules', 'warnings', 'requester'].map((name) => `--set=jobs.policies.${name}=true`);

describe('the chart gives the same objects as', () => {
  test.each([
    ['cluster', [ADDRESS], NAMESPACE],
    ['cluster and mpi', [ADDRESS, '--set=jobs.mpi=true'], NAMESPACE],
    ['cluster and questions', [ADDRESS, '--set=jobs.questions=true'], NAMESPACE],
    ['cluster and bridge', [ADDRESS, '--set=jobs.customResources=true'], NAMESPACE],
    ['cluster and notifier', [ADDRESS, ...NOTIFIES], NAMESPACE],
    ['cluster and console', [ADDRESS, '--set=console.enabled=true'], NAMESPACE],
    ['cluster and people', [ADDRESS, '--set=researchers.create=true'], NAMESPACE],
    ['namespaced', [ADDRESS, '--set=jobs.namespaces={ml-team}', '--set=clusterRights=false'], 'ml-team'],
    ['teams', [ADDRESS, '--set=jobs.namespaces={team-a,team-b}', '--set=clusterRights=false'], NAMESPACE],
  ])('deploy/kubernetes: %s', async (folders, options, namespace) => {
    const kustomized = await Promise.all(
      folders.split(' and ').map((folder) => kubectl('kustomize', `deploy/kubernetes/${folder}`)),
    );
    const rendered = comparable(await render(options, { namespace }));
    expect(rendered).toEqual(comparable(kustomized.flatMap(objectsIn)));
    expect(Object.keys(rendered).length).toBeGreaterThan(10);
  });
});

test('its policies are those of deploy/kubernetes/policies', async () => {
  const kustomized = objectsIn(await kubectl('kustomize', 'deploy/kubernetes/policies'));
  const objects = await render([ADDRESS, ...POLICIES]);
  const policies = objects.filter(({ kind }) => kind.includes('AdmissionPolicy'));
  expect(comparable(policies)).toEqual(comparable(kustomized));
  expect(policies.length).toBeGreaterThan(10);
  const settings = objects.find(({ kind }) => kind === 'ConfigMap') as Settings;
  expect(settings.data).toMatchObject({ SIGNALBOX_REQUESTER_STAMPED: 'true' });
});

test('its policies bind in the namespaces of jobs', async () => {
  const objects = await render([ADDRESS, ...POLICIES, '--set=jobs.namespaces={a,b}'], { name: 'team' });
  const bindings = objects.filter(({ kind }) => kind.endsWith('AdmissionPolicyBinding'));
  const names = objects
    .filter(({ kind }) => kind.endsWith('AdmissionPolicy'))
    .map(({ metadata }) => metadata.name);
  for (const { metadata, spec } of bindings as (KubeObject & { spec: object })[]) {
    expect(names).toContain(metadata.name);
    expect(metadata.name).toMatch(/^team-signalbox-/);
    expect(spec).toMatchObject({
      policyName: metadata.name,
      matchResources: { namespaceSelector: { matchExpressions: [{ operator: 'In', values: ['a', 'b'] }] } },
    });
  }
});

describe('values are refused', () => {
  test.each([
    [
      'a misspelt name',
      '--set=temporal.adress=t:7233',
      "at '/temporal': additional properties 'adress' not allowed",
    ],
    ['a misspelt name of a part', '--set=worker.replica=3', "'replica' not allowed"],
    ['a misspelt setting', '--set=settings.SIGNALBOX_ACTIVTIES=3', "'SIGNALBOX_ACTIVTIES' not allowed"],
    [
      'a setting that has a value of its own',
      '--set=settings.TEMPORAL_ADDRESS=t:1',
      "'TEMPORAL_ADDRESS' not",
    ],
    [
      'a secret among the settings',
      '--set=settings.TEMPORAL_API_KEY=k',
      'put it into a Secret and name that in temporal.apiKey.existingSecret, its key in temporal.apiKey.key',
    ],
    [
      'the key of the archive among the settings',
      '--set=settings.SIGNALBOX_ARCHIVE_KEY=k',
      'name that in record.archiveKey.existingSecret',
    ],
    [
      'a setting with a value that it does not have',
      '--set=settings.SIGNALBOX_GANG=volcanoo',
      "at '/settings/SIGNALBOX_GANG': value must be one of 'auto', 'native', 'volcano'",
    ],
    ['an address without a port', '--set=temporal.address=temporal', "at '/temporal/address'"],
    ['buckets without names', '--set=record.store=s3', "at '/record/s3/archiveBucket'"],
    [
      'a bucket without a key that signs the archive',
      '--set=record.store=s3,record.s3.archiveBucket=archive,record.s3.evidenceBucket=evidence',
      "at '/record/archiveKey/existingSecret': minLength: got 0, want 1",
    ],
    ['an empty namespace', '--set=jobs.namespaces={a,}', "at '/jobs/namespaces/1'"],
    ['a namespace that is no DNS label', '--set=jobs.namespaces={Team_A}', "at '/jobs/namespaces/0'"],
    [
      'a namespace twice',
      '--set=jobs.namespaces={a,b,a}',
      "at '/jobs/namespaces': items at 0 and 2 are equal",
    ],
    ['one namespace that is no list', '--set=jobs.namespaces=a', "at '/jobs/namespaces': got string"],
    [
      'only custom resources, without what runs them',
      '--set=jobs.requireResource=true',
      "at '/jobs/customResources'",
    ],
    [
      'an account without a name',
      '--set=worker.serviceAccount.create=false',
      "at '/worker/serviceAccount/name'",
    ],
  ])('%s', async (_, option, message) => {
    expect(await refusal(option)).toContain(message);
  });

  test('a variable that another value sets', async () => {
    const key = '--set=temporal.apiKey.existingSecret=key';
    expect(await refusal(key, '--set=worker.extraEnv[0].name=TEMPORAL_API_KEY')).toContain(
      'worker.extraEnv: TEMPORAL_API_KEY is set already, by temporal.apiKey or record.archiveKey',
    );
  });

  test.each([
    [
      'open to everybody who reaches it',
      ['identity=none'],
      'console.identity: expected kubernetes, proxy or oidc, got "none": in a cluster everybody who reaches the console could do what it shows',
    ],
    ['that believes any proxy', ['identity=proxy'], 'console.proxy.addresses: expected the addresses'],
    ['of several processes', ['replicas=2'], 'console.replicas: expected at most 1, got 2'],
    [
      'of several processes that share no key',
      ['replicas=2', 'identity=proxy', 'proxy.addresses={10.0.0.5}'],
      'console.replicas: expected at most 1 without console.sessionKey.existingSecret, got 2',
    ],
    ['without a provider', ['identity=oidc'], 'console.oidc: expected issuer and clientId, and console.url'],
    ['with a provider that others could be', ['oidc.issuer=http://id.example'], "at '/console/oidc/issuer'"],
    ['at an ingress without a name', ['ingress.enabled=true'], 'console.ingress.host: expected a name'],
    [
      'with a variable that another value sets',
      ['extraEnv[0].name=SIGNALBOX_CONSOLE_IDENTITY'],
      'console.extraEnv: SIGNALBOX_CONSOLE_IDENTITY is set already, by a value of console',
    ],
  ])('a console %s', async (_, values, message) => {
    const options = ['enabled=true', ...values].map((value) => `--set=console.${value}`);
    expect(await refusal(...options)).toContain(message);
  });

  test('a console without the right to ask who people are', async () => {
    expect(await refusal('--set=console.enabled=true', '--set=clusterRights=false')).toContain(
      'console.enabled: expected clusterRights, got false',
    );
  });

  test('a binding of people in a namespace that the release does not serve', async () => {
    const bound = ['researchers.create=true', 'researchers.bindings[0].namespace=c'];
    const options = [...bound, 'jobs.namespaces={a,b}'];
    const groups = '--set=researchers.bindings[0].groups={people}';
    expect(await refusal(groups, ...options.map((option) => `--set=${option}`))).toContain(
      'researchers.bindings: expected a namespace of jobs (jobs.namespaces: a, b), got c',
    );
  });

  test('no address at all', async () => {
    await expect(render([])).rejects.toThrow("at '/temporal/address': '' does not match pattern");
  });
});

/** Variables that the chart sets by other values, that its objects rely on, or of what it does not run: people's commands. */
const BY_OTHER_VALUES =
  /^TEMPORAL_(?!DEPLOYMENT_NAME|WORKER_BUILD_ID)|^SIGNALBOX_(HTTP_|LEASE_NAME|BRIDGE$|BRIDGE_LEASE_NAME$|REQUIRE_RESOURCE$|REQUESTER_STAMPED$|NAMESPACES$|KUBE|PRICES$|COMPLETION_TIMEOUT$|NOTIFICATIONS$|TASK_QUEUE$|CONSOLE_|TEMPORAL_UI$)/;

test('every other variable of the settings is a value, with the choices that it has', () => {
  const { properties } = readYaml(`${CHART}/values.schema.json`) as {
    readonly properties: { readonly settings: { readonly properties: Readonly<Record<string, unknown>> } };
  };
  const expected = Object.values(SETTINGS)
    .filter((entry) => 'secret' in entry || !BY_OTHER_VALUES.test(entry.env))
    .map((entry) => [entry.env, 'choices' in entry ? { enum: entry.choices } : { $ref: '#/$defs/setting' }]);
  expect(properties.settings.properties).toEqual(Object.fromEntries(expected));
});

test('the console is reached by its ingress alone, and asks the cluster who people are', async () => {
  const objects = await render([`--values=${CHART}/ci/console-values.yaml`]);
  const named = (kind: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === 'signalbox-console');
  expect(named('Ingress')).toMatchObject({
    spec: {
      tls: [{ hosts: ['signalbox.example.com'], secretName: 'signalbox-tls' }],
      rules: [{ host: 'signalbox.example.com' }],
    },
  });
  expect(named('NetworkPolicy')).toMatchObject({
    spec: {
      podSelector: { matchLabels: { 'app.kubernetes.io/component': 'console' } },
      ingress: [{ ports: [{ port: 'pages', protocol: 'TCP' }] }],
    },
  });
  expect(JSON.stringify(named('Deployment'))).toContain(
    '{"name":"SIGNALBOX_CONSOLE_IDENTITY","value":"kubernetes"}',
  );
});

test('the console has its secrets as files of its own alone', async () => {
  const objects = await render([`--values=${CHART}/ci/console-oidc-values.yaml`]);
  const parts = ['worker', 'watcher', 'console'].map((part) =>
    JSON.stringify(
      objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith(part)),
    ),
  );
  expect(parts.map((part) => part.includes('signalbox-oidc'))).toEqual([false, false, true]);
  // Workers tell its address.
  expect(parts.map((part) => part.includes('SIGNALBOX_CONSOLE_URL'))).toEqual([true, false, true]);
  for (const file of ['/etc/signalbox/oidc/client-secret', '/etc/signalbox/session/session-key'])
    expect(parts[2]).toContain(file);
});

describe('two releases', () => {
  test('have no object in common, and leases of their own', async () => {
    const namespace = 'signalbox';
    const [one, two] = await Promise.all([
      render([ADDRESS], { name: 'team-a', namespace }),
      render([ADDRESS], { name: 'team-b', namespace }),
    ]);
    const names = new Set(one.map(nameOf));
    expect(two.map(nameOf).filter((name) => names.has(name))).toEqual([]);
    const leases = [one, two].map(
      (objects) => (objects.find(({ kind }) => kind === 'ConfigMap') as Settings).data.SIGNALBOX_LEASE_NAME,
    );
    expect(leases).toEqual(['team-a-signalbox-watcher', 'team-b-signalbox-watcher']);
  });
});

test.each([
  ['one namespace', 'namespaced', 'ml-team', ['ml-team']],
  ['some namespaces', 'namespaces', NAMESPACE, [NAMESPACE, 'team-a', 'team-b']],
])('with rights in %s only, no object belongs to the cluster', async (_, values, namespace, all) => {
  const objects = await render([`--values=${CHART}/ci/${values}-values.yaml`], { namespace });
  expect([...new Set(objects.map(({ metadata }) => metadata.namespace))].sort()).toEqual(all);
});

test('changed settings restart the pods', async () => {
  const annotations = async (level: string) => {
    const objects = await render([ADDRESS, `--set=settings.SIGNALBOX_LOG_LEVEL=${level}`]);
    return JSON.stringify(objects).match(/"checksum\/settings":"\w+"/g);
  };
  const [info, debug] = [await annotations('info'), await annotations('debug')];
  expect(info).toHaveLength(2);
  expect(debug).not.toEqual(info);
});

test('the rules of a PrometheusRule are those of which docs/alerts.md says what to do', async () => {
  const objects = await render([ADDRESS, '--set=prometheusRule.enabled=true']);
  const rules = objects.find(({ kind }) => kind === 'PrometheusRule');
  expect(rules).toMatchObject({ spec: readYaml('charts/signalbox/monitoring/alerts.yaml') as object });
});
