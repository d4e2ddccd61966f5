import { describe, expect, test } from '@jest/globals';
import { appliedFindings, bridgeFindings } from '../../cli/doctor/bridge-checks.ts';
import { findingsOf } from '../../cli/doctor/finding.ts';
import type { Settings } from '../../cli/settings/settings.ts';
import { ADMISSION_POLICIES } from '../../client/manifests/offline/definitions.ts';
import type { ConfigMap, KubeObject, Resource } from '../../contracts/kubernetes.ts';

/** What `signalbox doctor --for bridge` says of clusters that serve all kinds and have these objects. */

interface Has {
  readonly objects?: readonly KubeObject[];
  /** Kinds that it does not serve. */
  readonly without?: readonly string[];
  readonly settings?: { readonly bridgeTakes?: 'all' | 'own'; readonly requesterStamped?: boolean };
}

function clusterOf({ objects = [], without = ['Workload'] }: Has) {
  const isOf = ({ kind }: Resource) => objects.filter((object) => object.kind === kind);
  return {
    serves: async ({ kind }: Resource) => !without.includes(kind),
    find: async (resource: Resource, _: unknown, name: string) =>
      isOf(resource).find(({ metadata }) => metadata.name === name),
    list: async (resource: Resource, { fieldSelector }: { fieldSelector?: string }) => ({
      metadata: { resourceVersion: '1' },
      items: isOf(resource).filter(
        ({ metadata }) => !fieldSelector || fieldSelector === `metadata.name=${metadata.name}`,
      ),
    }),
  } as unknown as Parameters<typeof bridgeFindings>[0];
}

async function findingsIn({ settings = {}, ...has }: Has) {
  const { bridgeTakes = 'all', requesterStamped } = settings;
  const given = { bridgeTakes, jobs: { requesterStamped } } as unknown as Settings;
  const found: string[] = [];
  for await (const { check, state, message } of bridgeFindings(clusterOf(has), given)) {
    found.push(`${state} ${check}: ${message}`);
  }
  return found;
}

const object = (apiVersion: string, kind: string, name: string, more: object = {}): KubeObject => ({
  ...{ apiVersion, kind, metadata: { name, namespace: 'kubeflow' } },
  ...more,
});

const OPERATOR = object('apps/v1', 'Deployment', 'training-operator');
const WEBHOOKS = object(
  'admissionregistration.k8s.io/v1',
  'ValidatingWebhookConfiguration',
  'validator.training-operator.kubeflow.org',
);

describe('for the bridge, signalbox doctor says', () => {
  test('that all is well', async () => {
    expect(await findingsIn({})).toEqual([
      'ok definitions: the cluster serves every kind of job',
      'ok operators: no original operator runs',
      'ok policies: none: faulty resources are told by their status (docs/front-door.md#policies)',
    ]);
  });

  test('which kinds the cluster does not serve', async () => {
    expect(await findingsIn({ without: ['JAXJob', 'Workload'] })).toContain(
      'warning definitions: the cluster does not serve kubeflow.org/v1 JAXJob',
    );
  });

  test('that an operator runs, and what its webhooks refuse', async () => {
    const found = await findingsIn({ objects: [OPERATOR, WEBHOOKS] });
    expect(found[1]).toMatch(
      /^warning operators: training-operator runs \(Deployment kubeflow\/training-operator\) and takes each pytorchjob, /,
    );
    expect(found[2]).toMatch(/^warning webhooks: .* refuses jobs whose managedBy is signalbox\.dev\/bridge$/);
  });

  test('that the webhooks of an operator that does not run refuse every job', async () => {
    expect(await findingsIn({ objects: [WEBHOOKS] })).toContainEqual(
      expect.stringMatching(/^fault webhooks: .*every job is refused$/),
    );
  });

  test('which policies there are', async () => {
    const objects = [...ADMISSION_POLICIES.rules(), ...ADMISSION_POLICIES.requester()];
    expect(await findingsIn({ objects })).toContain('ok policies: the API server applies requester, rules');
  });

  test('that any writer can claim to be another user', async () => {
    const settings = { requesterStamped: true };
    expect(await findingsIn({ objects: [...ADMISSION_POLICIES.rules()], settings })).toContainEqual(
      expect.stringMatching(/^fault policies: SIGNALBOX_REQUESTER_STAMPED is true, and nothing notes/),
    );
  });

  test.each<[string, readonly string[], string]>([
    ['some kinds', ['batch/job', 'kubeflow.org/pytorchjob'], 'ok Kueue: queues kubeflow.org/pytorchjob'],
    ['none', ['batch/job'], 'warning Kueue: is installed, and its configuration'],
  ])('that Kueue queues %s', async (_, frameworks, said) => {
    const data = { 'controller_manager_config.yaml': JSON.stringify({ integrations: { frameworks } }) };
    const config = object('v1', 'ConfigMap', 'kueue-manager-config', { data }) as ConfigMap;
    const found = await findingsIn({ objects: [config], without: [] });
    expect(found.at(-1)).toContain(said);
  });
});

describe('for people, signalbox doctor says of the jobs that were applied', () => {
  const applied = object('kubeflow.org/v1', 'PyTorchJob', 'train');
  const { ok, fault } = findingsOf('bridge');
  const found = async (objects: readonly KubeObject[], leads = false) => {
    const lease = leads ? ok('lease', 'ana leads') : fault('lease', 'there is no lease', 'Start one.');
    const asked = { bridgeTakes: 'all' as const, namespaces: ['kubeflow'] };
    return appliedFindings(clusterOf({ objects }), asked, async () => [lease]);
  };

  test('which have no bridge, and what to do', async () => {
    const [finding, ...others] = await found([applied]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      state: 'fault',
      message: 'no bridge runs PyTorchJob kubeflow/train: there is no lease',
      remedy: expect.stringContaining('`signalbox up` runs one'),
    });
  });

  test('that a bridge leads', async () => {
    expect(await found([applied], true)).toMatchObject([{ state: 'ok', message: 'ana leads' }]);
  });

  test('nothing, if there are none or another operator takes them', async () => {
    expect(await found([])).toEqual([]);
    expect(await found([applied, OPERATOR])).toEqual([]);
  });
});
