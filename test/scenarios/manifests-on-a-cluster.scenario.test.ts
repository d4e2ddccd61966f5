import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dryRun } from '../../client/manifests/offline/dry-run.ts';
import { renderJob } from '../../client/manifests/offline/render.ts';
import { validateOnServer } from '../../client/manifests/offline/validate-on-server.ts';
import {
  CONFIG_MAPS,
  type KubeObject,
  NAMESPACES,
  RESOURCE_QUOTAS,
  SERVICES,
} from '../../contracts/kubernetes.ts';
import { FRAMEWORKS } from '../../frameworks/kinds/registry.ts';
import { signalbox } from '../cli/process.ts';
import { corpusFolder, readCorpus } from '../corpus/corpus.ts';
import { aManifest } from '../frameworks/manifests.ts';
import { restrictedManifest } from '../frameworks/restricted-manifest.ts';
import { openStage, type Stage } from './stage.ts';

/** What only an API server can say of manifests. Nothing runs here, so no worker is needed. */

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** In a namespace that exists. */
const placed = (manifest: unknown): unknown => {
  const { metadata, ...rest } = manifest as { metadata: object };
  return { ...rest, metadata: { ...metadata, namespace: stage.namespace } };
};

const validate = (manifest: unknown) => validateOnServer(placed(manifest), stage.cluster);

describe('the API server accepts all objects rendered of', () => {
  it.each(readCorpus('valid'))('$name', async ({ manifest }) => {
    const gang = 'none';
    const { objects } = await renderJob(placed(manifest), { gang });
    const results = await dryRun(stage.cluster, objects);
    expect(results.filter(({ outcome }) => outcome !== 'accepted')).toEqual([]);
    expect(results).toHaveLength(objects.length);
  });

  it('templates that comply with Pod Security in a restricted namespace', async () => {
    const namespace = `${stage.namespace}-restricted`;
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await stage.cluster.create(NAMESPACES, {
      ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } },
    });
    const jobs = FRAMEWORKS.map((framework) => restrictedManifest(framework, 'container'));
    const validated = jobs.map((job) => validateOnServer(job, stage.cluster, { namespace }));
    expect((await Promise.all(validated)).flatMap(({ faults }) => faults)).toEqual([]);
    await stage.cluster.delete(NAMESPACES, undefined, namespace);
  });

  it('and its own gangs', async () => {
    expect(await validate(aManifest().build())).toMatchObject({ faults: [], existing: [] });
  });
});

describe('faults found by the API server', () => {
  it('are reported once for equal pods', async () => {
    const manifest = aManifest().role('Worker', 'template.spec.dnsPolicy', 'Sometimes').build();
    const { faults, job } = await validate(manifest);
    expect(faults).toEqual([
      {
        path: `Pod ${stage.namespace}/resnet-worker-0 and 1 more`,
        expected: 'an object that the API server accepts',
        got: expect.stringContaining('spec.dnsPolicy: Unsupported value: "Sometimes"'),
      },
    ]);
    expect(job).toBeUndefined();
  });

  it('include existing objects', async () => {
    const spec = { clusterIP: 'None', ports: [{ port: 80 }] };
    const metadata = { name: 'resnet-master-0', namespace: stage.namespace };
    await stage.cluster.create(SERVICES, { apiVersion: 'v1', kind: 'Service', metadata, spec });
    expect(await validate(aManifest().build())).toMatchObject({
      faults: [],
      existing: [`Service ${stage.namespace}/resnet-master-0`],
    });
  });

  it('include unknown fields of pods, by the paths of the manifest, beside what else is wrong', async () => {
    const container = { name: 'pytorch', image: 'busybox', resource: { limits: { 'nvidia.com/gpu': 8 } } };
    const manifest = aManifest()
      .role('Worker', 'template.spec', {
        nodeSelectr: { pool: 'a100' },
        dnsPolicy: 'Sometimes',
        containers: [container],
      })
      .build();
    const spec = 'spec.pytorchReplicaSpecs.Worker.template.spec';
    const { faults } = await validate(manifest);
    expect(faults.map(({ path, expected }) => `${path}: ${expected}`)).toEqual([
      `${spec}.containers[0].resource: a field of pods that the cluster knows (did you mean resources?)`,
      `${spec}.nodeSelectr: a field of pods that the cluster knows (did you mean nodeSelector?)`,
      `Pod ${stage.namespace}/resnet-worker-0 and 1 more: an object that the API server accepts`,
    ]);
  });

  it('do not include a quota that objects of the job itself use', async () => {
    const namespace = `${stage.namespace}-full`;
    const none = { kind: 'ResourceQuota', apiVersion: 'v1', metadata: { name: 'none', namespace } };
    const hard = { 'count/services': '3' };
    await stage.cluster.create(NAMESPACES, {
      ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    });
    const manifest = aManifest().with('metadata.namespace', namespace).build();
    const services = (await renderJob(manifest)).objects.filter(({ kind }) => kind === 'Service');
    for (const service of services) await stage.cluster.create(SERVICES, service);
    await stage.cluster.create(RESOURCE_QUOTAS, { ...none, spec: { hard } } as KubeObject);
    expect(await validateOnServer(manifest, stage.cluster)).toMatchObject({
      faults: [],
      existing: services.map(({ metadata: { name } }) => `Service ${namespace}/${name}`),
    });
    const other = aManifest().with('metadata.namespace', namespace).with('metadata.name', 'other').build();
    const { faults } = await validateOnServer(other, stage.cluster);
    expect(faults.map(({ path }) => path)).toEqual([`Service ${namespace}/other-master-0 and 2 more`]);
    await stage.cluster.delete(NAMESPACES, undefined, namespace);
  });

  it('include a missing namespace, once', async () => {
    const manifest = aManifest().with('metadata.namespace', 'nowhere').build();
    const { faults } = await validateOnServer(manifest, stage.cluster);
    expect(faults.map(({ got }) => got)).toEqual(['namespaces "nowhere" not found']);
  });

  it('are part of the output of signalbox validate --server', async () => {
    const file = join(corpusFolder('valid'), 'xgboost-tracker.yaml');
    const ask = (namespace: string) =>
      signalbox(['validate', file, '--server', '-n', namespace, '--kubeconfig', stage.sandbox.kubeconfig]);
    expect(await ask(stage.namespace)).toMatchObject({ code: 0, stdout: expect.stringContaining(': valid') });
    expect(await ask('nowhere')).toMatchObject({ code: 4, stdout: expect.stringContaining('not found') });
  });
});

describe('an object beside a job', () => {
  const settings = (text: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings' },
    data: { text },
  });

  it('is created in the job’s namespace, once, and then stays unchanged', async () => {
    expect(await stage.client.createIfAbsent(settings('first'))).toBe('created');
    expect(await stage.client.createIfAbsent(settings('second'))).toBe('exists');
    const kept = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'settings');
    expect(kept.data).toEqual({ text: 'first' });
  });

  it.each([
    [
      'a kind that the cluster does not know',
      { apiVersion: 'example.org/v1', kind: 'Thing' },
      'does not serve',
    ],
    [
      'what the API server refuses',
      { apiVersion: 'v1', kind: 'Service', spec: {} },
      'the cluster refused it',
    ],
  ])('is refused if it is %s', async (_what, object, message) => {
    const named = { ...object, metadata: { name: 'thing' } };
    await expect(stage.client.createIfAbsent(named)).rejects.toMatchObject({
      name: 'RefusedError',
      message: expect.stringContaining(message),
    });
  });

  it('is created by signalbox submit --create-others, before the job', async () => {
    const stdin = [JSON.stringify(settings('by hand')), JSON.stringify(aManifest().build())].join('\n---\n');
    const args = ['submit', '-', '--create-others', '-n', stage.namespace];
    const env = {
      TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
      SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
      SIGNALBOX_TASK_QUEUE: 'nobody-listens',
    };
    const { code, stdout, stderr } = await signalbox(args, { stdin, env });
    expect(stderr).toContain('ConfigMap settings already exists; unchanged');
    expect(stdout).toBe(`job/${stage.namespace}/resnet started\n`);
    expect(code).toBe(0);
    await stage.temporal.workflow.getHandle(`job/${stage.namespace}/resnet`).terminate();
  });
});
