import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { unlessNotFound } from '../../cluster/errors.ts';
import { type KubeObject, NAMESPACES, type Resource } from '../../contracts/kubernetes.ts';
import { Engine, type EngineCommand } from '../../demo/engine.ts';
import { NAMESPACE, ROOT } from '../deploy/manifests.ts';
import { eventually } from '../eventually.ts';
import { createToken } from '../service-account.ts';
import type { Stage } from './stage.ts';

/** Accounts and rights of an installation, as chart and kustomizations have them. */
const FILES = [
  ...['engine/worker.yaml', 'engine/watcher.yaml', 'mpi/worker.yaml'],
  ...['bridge/bridge.yaml', 'bridge/worker.yaml'],
].map((file) => join(ROOT, 'charts/signalbox/access', file));

const objects = (): readonly KubeObject[] =>
  FILES.flatMap((file) =>
    parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as KubeObject),
  );

/** Processes that have the rights of an installation, and no others. */
export interface Installation {
  start(part: Exclude<EngineCommand, 'up'>, settings?: NodeJS.ProcessEnv): Promise<Engine>;
  /** Stops them, and removes accounts and rights. */
  close(): Promise<void>;
}

export async function openInstallation({ cluster, sandbox }: Stage): Promise<Installation> {
  const metadata = { name: NAMESPACE };
  await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata });
  const made: { resource: Resource; object: KubeObject }[] = [];
  for (const object of objects()) {
    const resource = (await cluster.resourceOf(object))!;
    await cluster.create(resource, object);
    made.push({ resource, object });
  }
  const engines: Engine[] = [];
  return {
    start: async (part, settings = {}) => {
      const token = await createToken(cluster, { namespace: NAMESPACE, name: `signalbox-${part}` });
      const config = JSON.parse(await readFile(sandbox.kubeconfig, 'utf8')) as object;
      const { users } = config as { users: readonly { name: string }[] };
      const kubeconfig = join(sandbox.dir, `${part}.kubeconfig`);
      await writeFile(kubeconfig, JSON.stringify({ ...config, users: [{ ...users[0], user: { token } }] }));
      const logFile = join(sandbox.dir, 'engines', `limited-${part}.log`);
      const engine = new Engine(part, { ...sandbox, kubeconfig }, { logFile });
      engines.push(engine);
      return engine.start({ SIGNALBOX_LEASE_NAMESPACE: NAMESPACE, ...settings });
    },
    close: async () => {
      await Promise.all(engines.map((engine) => engine.stop()));
      for (const { resource, object } of made) {
        const { namespace, name } = object.metadata;
        await cluster.delete(resource, namespace, name).catch(unlessNotFound);
      }
      // The next file of this sandbox may create it.
      await cluster.delete(NAMESPACES, undefined, NAMESPACE).catch(unlessNotFound);
      await eventually(
        'its namespace is gone',
        async () => (await cluster.find(NAMESPACES, undefined, NAMESPACE)) === undefined,
      );
    },
  };
}
