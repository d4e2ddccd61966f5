import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { type KubeObject, NAMESPACES, PODS, type Resource } from '../../contracts/kubernetes.ts';
import type { ReasonCode } from '../../contracts/reasons.ts';
import { statusOf } from '../status-of.ts';
import { untilAttempt, untilStatus } from './attempts.ts';
import { openLimitedWorker } from './limited-worker.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** What the API server refuses now and takes later is waited for, with the reason told; what it never takes ends a job. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const QUOTAS: Resource<Quota> = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};

type Quota = KubeObject & { readonly spec: { readonly hard: Readonly<Record<string, string>> } };

const WEBHOOKS: Resource = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

/** Each test has a namespace of its own: a quota is for all of it. */
async function aNamespace(labels: Readonly<Record<string, string>> = {}): Promise<string> {
  const name = nameOfNamespace();
  await stage.cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  return name;
}

const nameOfNamespace = () => `refusals-${randomUUID().slice(0, 8)}`;

const createQuota = (namespace: string, pods: number) =>
  stage.cluster.create(QUOTAS, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'tight', namespace },
    spec: { hard: { pods: String(pods) } },
  });

const resizeQuota = (namespace: string, pods: number) =>
  stage.cluster.patch(QUOTAS, { namespace, name: 'tight' }, { spec: { hard: { pods: String(pods) } } });

const untilWaiting = (job: JobHandle, reason: ReasonCode) =>
  untilStatus(job, `it waits with ${reason}`, ({ cause }) => cause?.reason === reason);

/** Entries of the timeline that say for what the job waits. */
const entriesOf = async (job: JobHandle, reason: ReasonCode) =>
  (await statusOf(job)).timeline.filter(({ cause }) => cause.startsWith(`${reason}:`));

const GANG = { restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } } };

describe('a full quota', () => {
  it('makes a restarting gang wait until there is room', async () => {
    const namespace = await aNamespace();
    await createQuota(namespace, 3);
    const job = await stage.client.submit(withPolicy(simulatedJob({ name: 'tight', namespace }), GANG));
    await untilPhase(job, 'Running');
    await resizeQuota(namespace, 2);
    await end(namespace, 'tight-worker-1', 1);
    const { phase, cause } = await untilWaiting(job, 'NeverFits');
    expect(phase).toBe('Pending');
    expect(cause?.message).toMatch(
      /^the job needs 3 pods; the ResourceQuota tight allows the namespace 2; retrying until 20/,
    );
    await resizeQuota(namespace, 3);
    await untilAttempt(job, 2);
    expect(await entriesOf(job, 'NeverFits')).toHaveLength(1);
    expect((await statusOf(job)).cause).toBeUndefined();
  });

  it('makes a submitted job wait for another one', async () => {
    const namespace = await aNamespace();
    await createQuota(namespace, 3);
    const first = await stage.client.submit(simulatedJob({ name: 'first', namespace }));
    await untilPhase(first, 'Running');
    const second = await stage.client.submit(simulatedJob({ name: 'second', namespace }));
    await untilWaiting(second, 'QuotaExceeded');
    await first.stop();
    await untilPhase(second, 'Running');
  });

  it('ends a job when the time of its policy has expired', async () => {
    const namespace = await aNamespace();
    await createQuota(namespace, 2);
    const manifest = withPolicy(simulatedJob({ name: 'hasty', namespace }), {
      refusals: { failAfter: '2s' },
    });
    const job = await stage.client.submit(manifest);
    const outcome = await job.wait();
    expect(outcome).toMatchObject({ phase: 'Failed', cause: { reason: 'ClusterRefused' } });
    expect(outcome.cause?.message).toMatch(/NeverFits: .*ResourceQuota tight.*refusals.failAfter: 2s/);
  });
});

describe('a namespace that does not exist', () => {
  it('is waited for', async () => {
    const namespace = nameOfNamespace();
    const job = await stage.client.submit(simulatedJob({ name: 'early', namespace }));
    const { cause } = await untilWaiting(job, 'NamespaceMissing');
    expect(cause?.message).toContain(`namespaces "${namespace}" not found`);
    await stage.cluster.create(NAMESPACES, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    await untilPhase(job, 'Running');
  });

  it('is not waited for longer than the policy allows', async () => {
    const manifest = simulatedJob({ name: 'lost', namespace: nameOfNamespace() });
    const job = await stage.client.submit(withPolicy(manifest, { refusals: { failAfter: '1s' } }));
    const outcome = await job.wait();
    expect(outcome).toMatchObject({ phase: 'Failed', cause: { reason: 'ClusterRefused' } });
    expect(outcome.cause?.message).toContain('NamespaceMissing');
  });

  it('does not keep a job from being stopped', async () => {
    const job = await stage.client.submit(simulatedJob({ name: 'regretted', namespace: nameOfNamespace() }));
    await untilWaiting(job, 'NamespaceMissing');
    await job.stop();
    expect((await job.wait()).phase).toBe('Stopped');
  });
});

it('an account without permissions is waited for until it has them', async () => {
  const namespace = await aNamespace();
  const worker = await openLimitedWorker(stage, namespace);
  try {
    const job = await worker.submit(simulatedJob({ name: 'patient', namespace }));
    const { cause } = await untilWaiting(job, 'Forbidden');
    expect(cause?.message).toContain('cannot create resource "configmaps"');
    await worker.grant();
    await untilPhase(job, 'Running');
  } finally {
    await worker.close();
  }
});

it('a webhook that does not answer is waited for', async () => {
  const namespace = await aNamespace();
  await stage.cluster.create(WEBHOOKS, webhookToNowhere(namespace));
  const job = await stage.client.submit(simulatedJob({ name: 'hooked', namespace }));
  const { cause } = await untilWaiting(job, 'WebhookUnavailable');
  expect(cause?.message).toContain('failed calling webhook "nowhere.example.com"');
  await stage.cluster.delete(WEBHOOKS, undefined, namespace);
  await untilPhase(job, 'Running');
});

it('pods that Pod Security refuses end a job at once', async () => {
  const namespace = await aNamespace({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  const job = await stage.client.submit(simulatedJob({ name: 'privileged', namespace }));
  const outcome = await job.wait();
  expect(outcome).toMatchObject({ phase: 'Failed', cause: { reason: 'ClusterRefused' } });
  expect(outcome.cause?.message).toContain('violates PodSecurity');
});

const end = (namespace: string, name: string, exitCode: number) =>
  stage.cluster.patch(
    PODS,
    { namespace, name },
    {
      metadata: {
        annotations: {
          'signalbox.dev/simulate': 'failed',
          'signalbox.dev/simulate-exit-code': String(exitCode),
        },
      },
    },
  );

const webhookToNowhere = (namespace: string): KubeObject => ({
  apiVersion: WEBHOOKS.apiVersion,
  kind: WEBHOOKS.kind,
  metadata: { name: namespace },
  webhooks: [
    {
      name: 'nowhere.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Fail',
      timeoutSeconds: 1,
    },
  ],
});
