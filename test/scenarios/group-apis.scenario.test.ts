import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { type KubeObject, type Resource, SERVICE_ACCOUNTS } from '../../contracts/kubernetes.ts';
import type { Engine } from '../../demo/engine.ts';
import { createToken } from '../service-account.ts';
import { GroupDefinition } from './group-definition.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** The API of one gang scheduler comes, goes, or cannot be read: jobs that do not use it must not notice. */

let stage: Stage;
let watcher: Engine;
let definition: GroupDefinition;

beforeAll(async () => {
  stage = await openStage();
  definition = await GroupDefinition.open(stage.cluster);
  await definition.install();
  [watcher] = await Promise.all([stage.engine('watcher'), stage.engine('worker')]);
});

afterEach(() => definition.install());

afterAll(async () => {
  await definition?.close();
  await stage.close();
});

async function running(name: string): Promise<JobHandle> {
  const job = await stage.client.submit(
    simulatedJob({ name, namespace: stage.namespace, annotations: { 'signalbox.dev/gang': 'none' } }),
  );
  await untilPhase(job, 'Running');
  return job;
}

async function completes(job: JobHandle, name: string): Promise<void> {
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
}

describe('after the CRD of a scheduler’s groups is deleted', () => {
  it('the next watcher still reports pods', async () => {
    const job = await running('deleted');
    await watcher.stop();
    await definition.remove();
    await watcher.start();
    await completes(job, 'deleted');
  });

  it('a running watcher still reports pods, also when it is installed again', async () => {
    const before = await running('before');
    await definition.remove();
    await completes(before, 'before');
    const between = await running('between');
    await definition.install();
    await completes(between, 'between');
  });
});

describe('a watcher that cannot list a scheduler’s groups', () => {
  it('still reports pods while the conversion webhook is broken', async () => {
    const job = await running('broken');
    await watcher.stop();
    await definition.installBroken(stage.namespace);
    await watcher.start();
    await completes(job, 'broken');
  });

  it('still reports pods without the permission to list groups', async () => {
    const job = await running('unlisted');
    await watcher.stop();
    await watcher.start({ SIGNALBOX_KUBECONFIG: await kubeconfigWithoutGroups(stage) });
    await completes(job, 'unlisted');
    await watcher.stop();
    await watcher.start();
  });
});

/** Of an account that may do all but read kube-batch's groups. */
async function kubeconfigWithoutGroups({ sandbox, namespace, cluster }: Stage): Promise<string> {
  const config = JSON.parse(await readFile(sandbox.kubeconfig, 'utf8'));
  const name = `${namespace}-watcher`;
  const verbs = ['*'];
  const groups = [
    '',
    'coordination.k8s.io',
    'scheduling.k8s.io',
    'scheduling.volcano.sh',
    'scheduling.x-k8s.io',
  ];
  const rbac = 'rbac.authorization.k8s.io';
  await cluster.create(SERVICE_ACCOUNTS, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace },
  });
  await cluster.create(CLUSTER_ROLES, {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name },
    rules: [{ apiGroups: groups, resources: ['*'], verbs }],
  } as KubeObject);
  await cluster.create(CLUSTER_ROLE_BINDINGS, {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  } as KubeObject);
  const token = await createToken(cluster, { namespace, name });
  const path = join(sandbox.dir, 'engines', `${name}.kubeconfig`);
  await writeFile(path, JSON.stringify({ ...config, users: [{ ...config.users[0], user: { token } }] }));
  return path;
}

const CLUSTER_ROLES: Resource = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};
const CLUSTER_ROLE_BINDINGS: Resource = {
  ...CLUSTER_ROLES,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
};
