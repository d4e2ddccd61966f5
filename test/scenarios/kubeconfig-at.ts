import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stage } from './stage.ts';

/** Returns a kubeconfig for the stage's cluster, but at another port. */
export async function kubeconfigAt({ sandbox, namespace }: Stage, port: number): Promise<string> {
  const real = await readFile(sandbox.kubeconfig, 'utf8');
  const file = join(sandbox.dir, 'engines', `${namespace}.kubeconfig`);
  await writeFile(file, real.replace(sandbox.kubernetesUrl, `https://127.0.0.1:${port}`));
  return file;
}
