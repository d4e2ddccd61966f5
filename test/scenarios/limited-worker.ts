import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxLayout } from '@signalbox/sandbox';
import { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { NAMESPACES, ROLE_BINDINGS, SERVICE_ACCOUNTS } from '../../contracts/kubernetes.ts';
import { Engine } from '../../demo/engine.ts';
import { createToken } from '../service-account.ts';
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

export async function openLimitedWorker(
  { sandbox, cluster }: Stage,
  namespace: string,
): Promise<LimitedWorker> {
  const account = { namespace, name: ACCOUNT };
  await cluster.create(SERVICE_ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  const token = await createToken(cluster, account);
  const config = JSON.parse(await readFile(sandbox.kubeconfig, 'utf8'));
  const users = [{ ...config.users[0], user: { token } }];
  const kubeconfig = join(sandbox.dir, `${namespace}.kubeconfig`);
  await writeFile(kubeconfig, JSON.stringify({ ...config, users }), { mode: 0o600 });
  const taskQueue = `limited-${namespace}`;
  const engine = new Engine('worker', sandbox, {
    logFile: join(sandbox.dir, 'engines', `${namespace}-limited.log`),
  });
  // It may not look for the cluster's id itself.
  const { metadata } = await cluster.get(NAMESPACES, undefined, 'kube-system');
  await engine.start({
    SIGNALBOX_KUBECONFIG: kubeconfig,
    SIGNALBOX_TASK_QUEUE: taskQueue,
    SIGNALBOX_CLUSTER_ID: metadata.uid,
  });
  const client = await SignalboxClient.connect({
    temporal: { address: sandbox.temporalAddress, namespace: 'default' },
    cluster: { kubeconfig: sandbox.kubeconfig },
    evidence: { store: 'files', directory: sandboxLayout(sandbox.dir).evidence },
    namespace,
    taskQueue,
  });
  return {
    submit: async (manifest) => await client.submit(manifest),
    grant: async () => {
      await cluster.create(ROLE_BINDINGS, {
        apiVersion: ROLE_BINDINGS.apiVersion,
        kind: 'RoleBinding',
        metadata: account,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', ...account }],
      });
    },
    close: async () => {
      await engine.stop();
      await client.close();
    },
  };
}
