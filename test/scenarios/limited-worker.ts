import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, layout } from '@signalbox/sandbox';
import { SignalboxClient } from '../../client/client.ts';
import type { JobHandle } from '../../client/job-handle.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { Engine } from '../../demo/engine.ts';
import type { Manifest } from './manifests.ts';
import type { Stage } from './stage.ts';

/** A worker whose account has no right at all, on a task queue of its own. */
export interface LimitedWorker {
  submit(manifest: Manifest): Promise<JobHandle>;
  /** From now on it may do everything in its namespace. */
  grant(): Promise<void>;
  close(): Promise<void>;
}

const ACCOUNT = 'limited';

export async function openLimitedWorker({ sandbox }: Stage, namespace: string): Promise<LimitedWorker> {
  const config = JSON.parse(await readFile(sandbox.kubeconfig, 'utf8'));
  const ca = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64').toString();
  const admin = connect({ url: sandbox.kubernetesUrl, ca, token: config.users[0].user.token });
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const account: KubeObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT } };
  await admin.call('POST', accounts, account);
  const { status } = await admin.call<{ status: { token: string } }>('POST', `${accounts}/${ACCOUNT}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600 },
  } as never);
  const users = [{ ...config.users[0], user: { token: status.token } }];
  const kubeconfig = join(sandbox.dir, `${namespace}.kubeconfig`);
  await writeFile(kubeconfig, JSON.stringify({ ...config, users }), { mode: 0o600 });
  const taskQueue = `limited-${namespace}`;
  const engine = new Engine('worker', sandbox, {
    logFile: join(sandbox.dir, 'engines', `${namespace}-limited.log`),
  });
  // It may not look for the cluster's id itself.
  const { metadata } = await admin.call<KubeObject>('GET', '/api/v1/namespaces/kube-system');
  await engine.start({
    SIGNALBOX_KUBECONFIG: kubeconfig,
    SIGNALBOX_TASK_QUEUE: taskQueue,
    SIGNALBOX_CLUSTER_ID: metadata.uid,
  });
  const client = await SignalboxClient.connect({
    temporal: { address: sandbox.temporalAddress, namespace: 'default' },
    cluster: sandbox,
    evidence: { store: 'files', directory: layout(sandbox.dir).evidence },
    namespace,
    taskQueue,
  });
  return {
    submit: async (manifest) => (await client.submit(manifest)).job,
    grant: async () => {
      await admin.call('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: ACCOUNT },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace }],
      } as never);
    },
    close: async () => {
      await engine.stop();
      await client.close();
      await admin.close();
    },
  };
}
