import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensureKarpenter } from '@signalbox/sandbox';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { type KubeObject, NODES, type Resource } from '../../contracts/kubernetes.ts';
import { gatesOf } from '../../contracts/pod.ts';
import type { Engine } from '../../demo/engine.ts';
import { gangJob } from '../scenarios/gang-jobs.ts';
import { untilItWaits } from '../scenarios/gang-stage.ts';
import { openStage, type Stage, untilPhase } from '../scenarios/stage.ts';
import { KarpenterProcess } from './karpenter-process.ts';
import { openLongSandbox } from './sandbox.ts';

/** Gated gangs beside Karpenter, which adds nodes for pods that find none. */

/** Of Karpenter's kwok provider: room for one pod with a core. */
const INSTANCE_TYPE = 'c-2x-amd64-linux';
const POOL_LABEL = 'test.signalbox.dev/autoscaled';
const PODS = 4;
const ON_QUOTA = '{gang: {lift: onQuota}}';

const kindOf = (kind: string, plural: string, apiVersion: string): Resource => ({
  ...{ apiVersion, kind, plural, namespaced: false },
});
const NODE_POOLS = kindOf('NodePool', 'nodepools', 'karpenter.sh/v1');
const NODE_CLAIMS = kindOf('NodeClaim', 'nodeclaims', 'karpenter.sh/v1');
const NODE_CLASSES = kindOf('KWOKNodeClass', 'kwoknodeclasses', 'karpenter.kwok.sh/v1alpha1');

let stage: Stage;
let engine: Engine;
let karpenter: KarpenterProcess;

beforeAll(async () => {
  // Its first build takes minutes, which the time limit of a test does not have.
  await ensureKarpenter();
  stage = await openStage({ sandbox: await openLongSandbox() });
  engine = await stage.engine('up');
  karpenter = await KarpenterProcess.start(stage.sandbox.kubeconfig);
  await stage.cluster.create(NODE_CLASSES, objectOf(NODE_CLASSES, { metadata: { name: 'simulated' } }));
}, 1_200_000);

afterAll(async () => {
  await engine?.stop();
  await karpenter?.stop();
  await stage?.close();
});

const objectOf = <T extends Pick<KubeObject, 'metadata'>>({ apiVersion, kind }: Resource, fields: T) => ({
  ...{ apiVersion, kind, ...fields },
});

/** Karpenter may add nodes to it. */
async function poolOf(name: string) {
  const requirements = [
    { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [INSTANCE_TYPE] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
  ];
  const nodeClassRef = { group: 'karpenter.kwok.sh', kind: NODE_CLASSES.kind, name: 'simulated' };
  const pool = objectOf(NODE_POOLS, {
    metadata: { name },
    spec: {
      template: { metadata: { labels: { [POOL_LABEL]: name } }, spec: { requirements, nodeClassRef } },
    },
  });
  await stage.cluster.create(NODE_POOLS, pool);
  return { nodeSelector: { [POOL_LABEL]: name }, resource: 'cpu' };
}

const submitted = async (name: string, policy?: string): Promise<JobHandle> => {
  const { namespace } = stage;
  const pool = await poolOf(name);
  return stage.client.submit(gangJob({ name, namespace, gang: 'gated', pool, pods: PODS, policy }));
};

const ofPool = (resource: Resource, pool: string) =>
  stage.cluster
    .list(resource, { labelSelector: `karpenter.sh/nodepool=${pool}` })
    .then(({ items }) => items.length);

async function ends(name: string, job: JobHandle): Promise<void> {
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
}

it('a gang that is lifted on quota gets nodes and runs on them at its first attempt', async () => {
  const job = await submitted('grown', ON_QUOTA);
  const { attempt, restarts } = await untilPhase(job, 'Running');
  expect({ attempt, restarts }).toEqual({ attempt: 1, restarts: 0 });
  expect(await ofPool(NODES, 'grown')).toBe(PODS);
  await ends('grown', job);
});

it('a gang that is not lifted on quota is hidden from it', async () => {
  const job = await submitted('hidden');
  await untilItWaits(job, 'WaitingForGang', [/gated pods hold nothing meanwhile/]);
  // Karpenter has seen these pods when it has made nodes for others that came after them.
  const later = await submitted('later', ON_QUOTA);
  await untilPhase(later, 'Running');
  expect(await ofPool(NODE_CLAIMS, 'hidden')).toBe(0);
  expect((await stage.pods('hidden')).every(({ spec }) => gatesOf(spec).length > 0)).toBe(true);
  await ends('later', later);
  await job.stop({ why: 'it would wait for ever' });
  await job.wait();
});
