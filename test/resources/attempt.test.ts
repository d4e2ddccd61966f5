import { describe, expect, it } from '@jest/globals';
import type { Pod } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { isReplica } from '../../contracts/pod.ts';
import { type AttemptOptions, renderAttempt } from '../../resources/attempt.ts';
import { aContainer, aManifest, aRole, type ManifestBuilder } from '../frameworks/manifests.ts';

const ATTEMPT = { number: 3, anchorUid: 'anchor-uid' };
const PLAIN: AttemptOptions = { gang: 'none', asGang: true };
const render = (manifest: ManifestBuilder = aManifest(), options: AttemptOptions = PLAIN) =>
  renderAttempt(manifest.job(), ATTEMPT, options);
const namesOf = (objects: readonly { metadata: { name: string } }[]) =>
  objects.map(({ metadata }) => metadata.name);
const envOf = (pod: Pod, container = 0) =>
  Object.fromEntries((pod.spec.containers[container]!.env ?? []).map(({ name, value }) => [name, value]));

describe('the objects of an attempt', () => {
  it('are a pod and a Service of the same name for every replica', () => {
    const { group, pods, services } = render();
    expect(namesOf(pods)).toEqual(['resnet-master-0', 'resnet-worker-0', 'resnet-worker-1']);
    expect(namesOf(services)).toEqual(namesOf(pods));
    expect(group).toBeUndefined();
  });

  it('are the same for the same arguments', () => {
    expect(render()).toEqual(render());
  });

  it('leave out replicas that have succeeded', () => {
    expect(namesOf(render(aManifest(), { ...PLAIN, succeededIndices: { worker: '0' } }).pods)).toEqual([
      'resnet-master-0',
      'resnet-worker-1',
    ]);
  });

  it('belong to the anchor', () => {
    for (const { metadata } of [...render().pods, ...render().services]) {
      expect(metadata).toMatchObject({
        namespace: 'ml',
        labels: { 'signalbox.dev/job': 'resnet' },
        ownerReferences: [
          { kind: 'ConfigMap', name: 'resnet.signalbox', uid: 'anchor-uid', controller: true },
        ],
      });
    }
  });
});

describe('the number of the attempt', () => {
  const label = 'signalbox.dev/attempt';

  it('is on pods, and not on Services, which the next attempt uses too', () => {
    const { pods, services } = render();
    expect(pods.map(({ metadata }) => metadata.labels?.[label])).toEqual(['3', '3', '3']);
    expect(pods.every(isReplica)).toBe(true);
    expect(services.map(({ metadata }) => metadata.labels?.[label])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is in the environment of every container with job variables, whatever the manifest says', () => {
    const env = [{ name: 'SIGNALBOX_ATTEMPT', value: 'mine' }];
    const proxy = aContainer({ name: 'proxy' });
    const { pods } = render(aManifest().role('Master', '', aRole({}, aContainer({ env }), proxy)));
    const attempts = [envOf(pods[0]!), envOf(pods[0]!, 1), envOf(pods[1]!)];
    expect(attempts.map(({ SIGNALBOX_ATTEMPT }) => SIGNALBOX_ATTEMPT)).toEqual(['3', '3', '3']);
  });
});

describe('the incarnation of a role', () => {
  it('is on pods of a role that was restarted by itself', () => {
    const { pods } = render(aManifest(), { ...PLAIN, incarnations: { worker: 2 } });
    expect(pods.map(({ metadata }) => metadata.labels?.['signalbox.dev/incarnation'])).toEqual([
      undefined,
      '2',
      '2',
    ]);
  });
});

describe('a pod', () => {
  it('avoids the nodes of its job', () => {
    const { pods } = render(aManifest(), { ...PLAIN, avoid: [{ node: 'gpu-7', until: 5 }] });
    for (const { spec } of pods) expect(JSON.stringify(spec.affinity)).toContain('["gpu-7"]');
    expect(render().pods[0]!.spec).not.toHaveProperty('affinity');
  });

  it('has a label with the end of the first avoidance', () => {
    const avoid = [
      { node: 'gpu-7', until: 1_767_225_600_005 },
      { node: 'gpu-8', until: 1_767_225_600_000 },
    ];
    const [pod] = render(aManifest(), { ...PLAIN, avoid }).pods;
    expect(pod!.metadata.labels).toMatchObject({ 'signalbox.dev/avoids-until': '1767225600000' });
    expect(render().pods[0]!.metadata.labels).not.toHaveProperty('signalbox.dev/avoids-until');
  });

  it('keeps what its template says', () => {
    const template = {
      metadata: {
        labels: { app: 'resnet' },
        annotations: { note: 'x' },
        finalizers: ['a/b'],
        name: 'ignored',
      },
      spec: {
        nodeSelector: { gpu: 'a100' },
        containers: [aContainer({ resources: { limits: { cpu: 1 } } })],
      },
    };
    const [master] = render(aManifest().role('Master', 'template', template)).pods;
    expect(master).toMatchObject({
      metadata: {
        name: 'resnet-master-0',
        labels: { app: 'resnet' },
        annotations: { note: 'x' },
        finalizers: ['a/b'],
      },
      spec: { nodeSelector: { gpu: 'a100' }, containers: [{ resources: { limits: { cpu: 1 } } }] },
    });
  });

  it.each([
    ['ExitCode', 'Never'],
    ['Never', 'Never'],
    ['OnFailure', 'OnFailure'],
    ['Always', 'Always'],
  ])('of a role with restartPolicy %s has %s', (ofRole, ofPod) => {
    const manifest = aManifest().role('Worker', 'restartPolicy', ofRole);
    expect(
      render(manifest.role('Worker', 'template.spec.restartPolicy', 'Always')).pods[1]?.spec.restartPolicy,
    ).toBe(ofPod);
  });

  const LADDERS: readonly (readonly [scopes: string, ofPod: string])[] = [
    ['container pod', 'OnFailure'],
    ['pod gang', 'Never'],
  ];
  it.each(LADDERS)('of a role with OnFailure and a ladder of %s has %s', (scopes, ofPod) => {
    const ladder = scopes.split(' ').map((scope) => ({ scope, times: 1 }));
    const annotations = { [ANNOTATIONS.policy]: JSON.stringify({ restart: { ladder } }) };
    const manifest = aManifest().role('Worker', 'restartPolicy', 'OnFailure');
    const { pods } = render(manifest.with('metadata.annotations', annotations));
    expect(pods[1]?.spec.restartPolicy).toBe(ofPod);
  });

  it('keeps the variables that its manifest sets', () => {
    const env = [
      { name: 'MASTER_ADDR', value: 'elsewhere' },
      { name: 'SEED', value: '1' },
    ];
    const { pods } = render(aManifest().role('Worker', '', aRole({ replicas: 2 }, aContainer({ env }))));
    expect(envOf(pods[1]!)).toMatchObject({ MASTER_ADDR: 'elsewhere', SEED: '1', RANK: '1' });
    expect(pods[1]!.spec.containers[0]!.env!.filter(({ name }) => name === 'MASTER_ADDR')).toHaveLength(1);
  });

  it('of any index has its own rank', () => {
    const ranks = render(aManifest().with('spec.nprocPerNode', 4)).pods.map((pod) => {
      const { RANK, WORLD_SIZE, PET_NNODES } = envOf(pod);
      return [RANK, WORLD_SIZE, PET_NNODES];
    });
    expect(ranks).toEqual([
      ['0', '12', '3'],
      ['1', '12', '3'],
      ['2', '12', '3'],
    ]);
  });

  it('that is the master has a label: worker 0 where there is no Master', () => {
    const role = 'training.kubeflow.org/job-role';
    const mastersOf = (manifest: ManifestBuilder) =>
      namesOf(render(manifest).pods.filter(({ metadata }) => metadata.labels?.[role] === 'master'));
    expect(mastersOf(aManifest())).toEqual(['resnet-master-0']);
    expect(mastersOf(aManifest().role('Master', '', undefined))).toEqual(['resnet-worker-0']);
  });
});

describe('a Service', () => {
  it('has every port of the main container, with its protocol and a name', () => {
    const ports = [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP', name: 'dns' }];
    const { services } = render(aManifest().role('Master', '', aRole({}, aContainer({ ports }))));
    expect(services[0]?.spec).toMatchObject({
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      ports: [
        { name: 'port-0', port: 80 },
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: 'pytorchjob-port', port: 23456 },
      ],
    });
  });

  it('selects only its own pod', () => {
    const { pods, services } = render();
    for (const service of services) {
      const { selector } = service.spec as { selector: Record<string, string> };
      const selected = pods.filter(({ metadata }) =>
        Object.entries(selector).every(([label, value]) => metadata.labels?.[label] === value),
      );
      expect(namesOf(selected)).toEqual([service.metadata.name]);
    }
  });
});
