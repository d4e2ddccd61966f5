import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { untilWanted } from '../../bridge/until-wanted.ts';
import { ApiError } from '../../cluster/errors.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import { Readiness } from '../../leader/readiness.ts';

type WantedTools = Parameters<typeof untilWanted>[0];

/** When `signalbox up` runs a bridge that nobody has asked for, and what it says until then. */

/** What is in the cluster. */
let served: string[];
let objects: KubeObject[];
let forbidden: boolean;
let said: string[];
let stop: AbortController;

beforeEach(() => {
  [served, objects, said, forbidden] = [[], [], [], false];
  stop = new AbortController();
  jest.useFakeTimers();
});

afterEach(() => {
  stop.abort();
  jest.useRealTimers();
});

const cluster = {
  serves: async ({ kind }: Resource) => served.includes(kind),
  list: async (resource: Resource, { fieldSelector, labelSelector }: Record<string, string>) => {
    if (forbidden) throw new ApiError('GET', { status: 403, reason: 'Forbidden', message: 'no rights' });
    const isSelected = ({ kind, metadata }: KubeObject) =>
      kind === resource.kind &&
      (!fieldSelector || fieldSelector === `metadata.name=${metadata.name}`) &&
      (!labelSelector || labelSelector === `signalbox.dev/part=${metadata.labels?.['signalbox.dev/part']}`);
    return { items: objects.filter(isSelected), metadata: { resourceVersion: '1' } };
  },
} as unknown as WantedTools['cluster'];

const OPERATOR: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'training-operator', namespace: 'kubeflow' },
};

const bridgeLease = (namespace: string, installation: string): KubeObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: {
    ...{ name: 'signalbox-bridge', namespace },
    labels: { 'signalbox.dev/part': 'bridge' },
    annotations: { 'signalbox.dev/installation': installation },
  },
  spec: { holderIdentity: 'host_1', renewTime: new Date().toISOString(), leaseDurationSeconds: 15 },
});

/** Whether it runs one: now, or after what `change` changes. */
async function wanted(settings: Partial<WantedTools> = {}, change?: () => void): Promise<boolean> {
  let isWanted = false;
  const note = (text: string) => void said.push(text);
  const tools = {
    ...{ cluster, readiness: new Readiness(), home: { installation: 'ours', clusterId: undefined } },
    ...{ log: { info: note, warn: note }, takes: 'all', lease: 'default/signalbox-bridge' },
    ...settings,
  } as WantedTools;
  void untilWanted(tools, stop.signal).then(() => {
    isWanted = !stop.signal.aborted;
  });
  await jest.advanceTimersByTimeAsync(10_000);
  if (!change) return isWanted;
  expect(isWanted).toBe(false);
  change();
  await jest.advanceTimersByTimeAsync(10_000);
  return isWanted;
}

describe('a bridge that nobody has asked for', () => {
  it('runs where a kind of job is served that nobody else runs', async () => {
    served = ['PyTorchJob'];
    expect(await wanted()).toBe(true);
    expect(said).toEqual([]);
  });

  it('starts once the definitions come, and says what it waits for once', async () => {
    expect(await wanted({}, () => void served.push('TFJob'))).toBe(true);
    expect(said).toEqual([expect.stringContaining('`signalbox crds | kubectl apply -f -`')]);
  });

  it('stays away from what an original operator runs, until that is gone', async () => {
    served = ['PyTorchJob', 'TFJob'];
    objects = [OPERATOR];
    const isWanted = await wanted({}, () => {
      objects = [];
    });
    expect(isWanted).toBe(true);
    expect(said).toEqual([
      expect.stringContaining('training-operator runs (Deployment kubeflow/training-operator)'),
    ]);
  });

  it('runs beside an operator that takes other kinds, other namespaces, or no jobs of its own', async () => {
    served = ['PyTorchJob'];
    objects = [{ ...OPERATOR, metadata: { ...OPERATOR.metadata, name: 'mpi-operator' } }];
    expect(await wanted()).toBe(true);
    const containers = [{ args: ['--namespace=team-a'] }];
    objects = [{ ...OPERATOR, spec: { template: { spec: { containers } } } }];
    expect(await wanted()).toBe(true);
    expect(await wanted({ namespaces: ['team-a'] })).toBe(false);
    objects = [OPERATOR];
    expect(await wanted({ takes: 'own' })).toBe(true);
  });

  it.each([
    ['of another installation', 'default', 'theirs', false],
    ['with another lease', 'signalbox-system', 'ours', false],
    ['that it can stand by', 'default', 'ours', true],
  ])('beside a bridge %s: %s/%s, %s', async (_, namespace, installation, isWanted) => {
    served = ['PyTorchJob'];
    objects = [bridgeLease(namespace, installation)];
    expect(await wanted()).toBe(isWanted);
    if (!isWanted)
      expect(said).toEqual([`no bridge runs: another one does (lease ${namespace}/signalbox-bridge)`]);
  });

  it('stays away where it cannot see who else runs them, and says how to run it', async () => {
    served = ['PyTorchJob'];
    forbidden = true;
    expect(await wanted()).toBe(false);
    expect(said).toEqual([expect.stringMatching(/cannot be found out: .*no rights; SIGNALBOX_BRIDGE=true/)]);
  });
});
