import { describe, expect, it } from '@jest/globals';
import { formatFault } from '../../frameworks/fields/faults.ts';
import { chooseGang } from '../../gang/choose.ts';
import { GANG_ADAPTERS } from '../../gang/registry.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { aManifest } from '../frameworks/manifests.ts';
import { aJob, anMpiJob, rendered } from './jobs.ts';

const GATE = [{ name: 'signalbox.dev/gang' }];
const TEMPLATE = 'spec.pytorchReplicaSpecs.Worker.template';

describe('a gated gang', () => {
  it('has no group, and a gate and the size of the gang on each pod', () => {
    const { group, pods } = rendered(aJob({ minAvailable: 2 }), 'gated');
    expect(group).toBeUndefined();
    expect(pods.map(({ spec }) => spec.schedulingGates)).toEqual([GATE, GATE, GATE]);
    expect(pods.map(({ metadata }) => metadata.labels?.['signalbox.dev/gated'])).toEqual([
      ...['2-of-3', '2-of-3', '2-of-3'],
    ]);
    expect(pods.map(({ spec }) => spec.schedulerName)).toEqual([undefined, undefined, undefined]);
  });

  it('gets replacements without a gate, which have the places of those that they replace', () => {
    const { pods } = rendered(aJob(), 'gated', false);
    expect(pods.map(({ spec }) => spec.schedulingGates)).toEqual([undefined, undefined, undefined]);
    expect(pods[0]!.metadata.labels).not.toHaveProperty('signalbox.dev/gated');
  });

  it('does not wait for pods that are created when others are ready', () => {
    const job = anMpiJob({}, { launcherCreationPolicy: 'WaitForWorkersReady' });
    const pods = new Map(
      rendered(job, 'gated').pods.map(({ metadata, spec }) => [metadata.name, { metadata, spec }]),
    );
    expect(pods.get('resnet-launcher')!.spec.schedulingGates).toBeUndefined();
    expect(pods.get('resnet-worker-0')!.metadata.labels).toMatchObject({ 'signalbox.dev/gated': '2-of-2' });
  });

  it('keeps gates of others, and none that looks like its own', () => {
    const given = [{ name: 'example.com/approval' }, ...GATE];
    const job = aManifest().with(`${TEMPLATE}.spec.schedulingGates`, given).job();
    const gatesOfWorker = (gang: 'gated' | 'none') =>
      rendered(job, gang).pods.find(({ metadata }) => metadata.name === 'resnet-worker-0')!.spec
        .schedulingGates;
    expect(gatesOfWorker('gated')).toEqual([{ name: 'example.com/approval' }, ...GATE]);
    expect(gatesOfWorker('none')).toEqual([{ name: 'example.com/approval' }]);
  });

  it('says on its pods that they may be lifted without room, if its policy says so', () => {
    const policy = { 'signalbox.dev/policy': 'gang: {lift: onQuota}', 'signalbox.dev/gang': 'gated' };
    const lifts = (annotations: object) =>
      rendered(aManifest().with('metadata.annotations', annotations).job(), 'gated').pods.map(
        ({ metadata }) => metadata.annotations?.['signalbox.dev/lift'],
      );
    expect(new Set(lifts(policy))).toEqual(new Set(['onQuota']));
    expect(new Set(lifts({ 'signalbox.dev/gang': 'gated' }))).toEqual(new Set([undefined]));
  });

  it('keeps its place in the order when it is made anew', () => {
    const options = { gang: 'gated', asGang: true, queuedSince: 1_767_225_600_000 } as const;
    const { pods } = renderAttempt(aJob(), { number: 2, anchorUid: 'anchor-uid' }, options);
    expect(pods[0]!.metadata.annotations).toMatchObject({ 'signalbox.dev/queued-since': '1767225600000' });
  });
});

describe('the choice of a gated gang', () => {
  const choose = (manifest: ReturnType<typeof aManifest>) =>
    chooseGang(manifest.with('metadata.annotations', { 'signalbox.dev/gang': 'gated' }).job(), {
      configured: 'auto',
      serves: async () => false,
    });

  it('needs nothing of the cluster, and is made only where it is asked for', async () => {
    expect(await choose(aManifest())).toMatchObject({ provider: 'gated', warnings: [] });
    const byDefault = await chooseGang(aJob(), { configured: 'auto', serves: async () => false });
    expect(byDefault).toMatchObject({ provider: 'none' });
    const configured = await chooseGang(aJob(), { configured: 'gated', serves: async () => false });
    expect(configured).toMatchObject({ provider: 'gated' });
  });

  it('warns of fields that have no effect', async () => {
    const queued = aManifest().with('spec.runPolicy.schedulingPolicy', { queue: 'research' });
    expect(await choose(queued)).toMatchObject({
      warnings: ['spec.runPolicy.schedulingPolicy.queue: ignored; gated gangs have no queues'],
    });
  });

  it('warns of gates that are to be lifted where there are none', async () => {
    const manifest = aManifest().with('metadata.annotations', {
      'signalbox.dev/gang': 'none',
      'signalbox.dev/policy': 'gang: {lift: onQuota}',
    });
    expect(await chooseGang(manifest.job(), { configured: 'auto', serves: async () => false })).toMatchObject(
      {
        warnings: [
          'metadata.annotations[signalbox.dev/policy].gang.lift: no effect; only pods of gated gangs have gates, and this one is none',
        ],
      },
    );
  });

  const required = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'rack' }] };
  const cases: readonly [field: string, value: unknown, path: string, got: string][] = [
    ['affinity', { podAffinity: required }, 'affinity.podAffinity', 'podAffinity'],
    ['affinity', { podAntiAffinity: required }, 'affinity.podAntiAffinity', 'podAntiAffinity'],
    [
      'topologySpreadConstraints',
      [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
      ...(['topologySpreadConstraints', 'topologySpreadConstraints'] as const),
    ],
    [
      'resourceClaims',
      [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }],
      ...(['resourceClaims', 'resourceClaims'] as const),
    ],
    ['volumes', [{ name: 'a', ephemeral: {} }], 'volumes[0].ephemeral', 'a claim for each pod'],
  ];

  it.each(cases)('refuses what cannot be computed, by its path: %s', async (field, value, path, got) => {
    const chosen = await choose(aManifest().with(`${TEMPLATE}.spec.${field}`, value));
    expect('faults' in chosen && chosen.faults.map(formatFault)).toEqual([
      `${TEMPLATE}.spec.${path}: expected pods whose place signalbox can compute, because a gated gang starts only where all of it fits, got ${got}`,
    ]);
  });

  it('refuses pods that name their node, which no API server takes with a gate', async () => {
    const chosen = await choose(aManifest().with(`${TEMPLATE}.spec.nodeName`, 'node-7'));
    expect('faults' in chosen && chosen.faults.map(formatFault)).toEqual([
      `${TEMPLATE}.spec.nodeName: expected no node, because Kubernetes takes no pod that has a node and the gate of a gated gang; use nodeSelector, got node-7`,
    ]);
  });

  it('takes pods that name their node and get no gate, because others come first', () => {
    const job = anMpiJob({}, { launcherCreationPolicy: 'WaitForWorkersReady' });
    const [launcher, worker] = job.roles;
    const onNode = (role: typeof launcher) => ({
      ...role!,
      template: { ...role!.template, spec: { ...role!.template.spec, nodeName: 'node-7' } },
    });
    const { refuses } = GANG_ADAPTERS.gated;
    expect(refuses!({ ...job, roles: [onNode(launcher), worker!] })).toEqual([]);
    expect(refuses!({ ...job, roles: [launcher!, onNode(worker)] })).toHaveLength(1);
  });
});
