import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePrograms } from '@signalbox/sandbox';
import { stringify } from 'yaml';
import {
  customResourceDefinitions,
  definitionsBesideJobs,
} from '../../client/manifests/offline/definitions.ts';
import type { Stage } from './stage.ts';

/** kubectl in the namespace of a stage. */
export interface Kubectl {
  /** Returns what it prints; rejects with what it complains about. */
  (...args: readonly string[]): Promise<string>;
  /** Applies objects from a file, as people do. */
  apply(objects: readonly object[], ...args: readonly string[]): Promise<string>;
}

export async function openKubectl({
  sandbox,
  namespace,
}: Pick<Stage, 'sandbox' | 'namespace'>): Promise<Kubectl> {
  const { kubectl } = await ensurePrograms({ names: ['kubectl'] });
  const run = async (...args: readonly string[]) => {
    const all = ['--kubeconfig', sandbox.kubeconfig, '-n', namespace, ...args];
    return (await promisify(execFile)(kubectl, all)).stdout;
  };
  const apply: Kubectl['apply'] = async (objects, ...args) => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-kubectl-'));
    try {
      const file = join(folder, 'objects.yaml');
      await writeFile(file, objects.map((object) => stringify(object)).join('---\n'));
      return await run('apply', '-f', file, ...args);
    } finally {
      await rm(folder, { recursive: true });
    }
  };
  return Object.assign(run, { apply });
}

const allDefinitions = () => [...customResourceDefinitions(), ...definitionsBesideJobs()];

/** Lets the cluster serve the kinds of jobs. */
export async function applyDefinitions(kubectl: Kubectl): Promise<void> {
  const definitions = allDefinitions();
  await kubectl.apply(definitions);
  const names = definitions.map(({ metadata }) => `crd/${metadata.name}`);
  await kubectl('wait', '--for=condition=Established', ...names);
}

export const deleteDefinitions = (kubectl: Kubectl): Promise<string> =>
  kubectl(
    ...['delete', 'crd', '--ignore-not-found'],
    ...allDefinitions().map(({ metadata }) => metadata.name),
  );
