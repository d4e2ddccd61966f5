import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import {
  bundleWorkflowCode,
  type Logger,
  type WorkflowBundleOption,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUNDLES = join(ROOT, '.signalbox', 'workflow-bundles');
/** All that workflows may import (a check enforces it), and the versions of the libraries beside it. */
const SOURCES = ['workflows', 'machines', 'contracts'];

/**
 * The workflows and all they import, as one file for the workflow sandbox. It is made once for each state of the
 * sources, in a process of its own: webpack takes two seconds and 180 MB, which a worker would otherwise keep.
 */
export async function findBundle(
  converter: DataConverter | undefined,
  logger: Logger,
): Promise<WorkflowBundleOption> {
  // A converter of the user's is part of the bundle, and its sources are not ours to watch.
  if (converter?.payloadConverterPath) return bundleWorkflows({ logger, ...converterPaths(converter) });
  const codePath = await bundlePath();
  if (!existsSync(codePath) && !(await bundleElsewhere(codePath))) return bundleWorkflows({ logger });
  return { codePath };
}

/** Bundles in this process. */
export function bundleWorkflows(
  options: { logger?: Logger; payloadConverterPath?: string; failureConverterPath?: string } = {},
): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({ workflowsPath: join(ROOT, 'workflows', 'workflows.ts'), ...options });
}

const converterPaths = ({ payloadConverterPath, failureConverterPath }: DataConverter) => ({
  payloadConverterPath,
  failureConverterPath,
});

/** False where it cannot be written, e.g. on a read-only file system. */
async function bundleElsewhere(codePath: string): Promise<boolean> {
  const prebuild = fileURLToPath(new URL('./prebuild.ts', import.meta.url));
  const args = ['--disable-warning=ExperimentalWarning', prebuild, codePath];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const [exitCode] = (await once(child, 'exit')) as [number | null];
  return exitCode === 0;
}

/** The same for the same sources, wherever they are. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(ROOT, 'package-lock.json')));
  for (const folder of SOURCES) {
    const all = await readdir(join(ROOT, folder), { recursive: true });
    const names = all.filter((name) => name.endsWith('.ts')).sort();
    for (const name of names) hash.update(name).update(await readFile(join(ROOT, folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Where the bundle of the present sources is, once it is made. */
export const bundlePath = async () => join(BUNDLES, `${await fingerprint()}.js`);
