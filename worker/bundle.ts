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
const ENTRY = join(ROOT, 'workflows', 'workflows.ts');
/** The published package has no sources, but what its build made of them (scripts/build.ts). */
const BUILT = existsSync(ENTRY)
  ? undefined
  : { entry: join(ROOT, 'dist', 'workflows.mjs'), bundle: join(ROOT, 'dist', 'workflow-bundle.js') };
/** Everything that workflows may import (a check enforces this), besides libraries. */
const SOURCES = ['workflows', 'machines', 'contracts', 'language'];

/**
 * Returns the workflows and all their imports as one file for the workflow sandbox. It is built once for each state of
 * the sources, in a separate process: webpack takes two seconds and 180 MB, which a worker would otherwise keep.
 */
export async function findBundle(
  converter: DataConverter | undefined,
  logger: Logger,
): Promise<WorkflowBundleOption> {
  // The bundle includes the user's converter, whose sources are not part of the fingerprint.
  const { payloadConverterPath, failureConverterPath } = converter ?? {};
  if (payloadConverterPath || failureConverterPath) {
    return bundleWorkflows({ logger, payloadConverterPath, failureConverterPath });
  }
  if (BUILT) return { codePath: BUILT.bundle };
  const codePath = await bundlePath();
  if (!existsSync(codePath) && !(await bundleElsewhere(codePath))) return bundleWorkflows({ logger });
  return { codePath };
}

/**
 * Loaded once for all workflows of a thread instead of once for each: this saves most of a workflow's memory, and of the
 * time to start or replay it. The modules keep no state of their own; the SDK freezes them.
 */
const SHARED = ['machines/step.ts', 'machines/job-status.ts', 'contracts/messages.ts', 'contracts/digest.ts'];

/** Bundles in this process. */
export function bundleWorkflows(
  options: { logger?: Logger; payloadConverterPath?: string; failureConverterPath?: string } = {},
): Promise<WorkflowBundleWithSourceMap> {
  // A converter is bundled with workflows that are bundled already: there each workflow keeps its own copy.
  const preloadModules = BUILT ? [] : SHARED.map((path) => join(ROOT, path));
  const workflowsPath = BUILT?.entry ?? ENTRY;
  // The entry exports the interceptors, too.
  return bundleWorkflowCode({
    ...{ workflowsPath, workflowInterceptorModules: [workflowsPath], preloadModules },
    ...options,
  });
}

/** Builds the bundle in a separate process. Returns false if that fails, e.g. on a read-only file system. */
async function bundleElsewhere(codePath: string): Promise<boolean> {
  const prebuild = fileURLToPath(new URL('./prebuild.ts', import.meta.url));
  const args = ['--disable-warning=ExperimentalWarning', prebuild, codePath];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const [exitCode] = (await once(child, 'exit')) as [number | null];
  return exitCode === 0;
}

/** Returns a hash of the sources that does not depend on their location. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(ROOT, 'package-lock.json')));
  hash.update(SHARED.join());
  for (const folder of SOURCES) {
    const all = await readdir(join(ROOT, folder), { recursive: true });
    const names = all.filter((name) => name.endsWith('.ts')).sort();
    for (const name of names) hash.update(name).update(await readFile(join(ROOT, folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Returns the path for the bundle of the present sources. */
export const bundlePath = async () => join(BUNDLES, `${await fingerprint()}.js`);
