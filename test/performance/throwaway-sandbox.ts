import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureSandbox, resetSandbox, sandboxStatus } from '@signalbox/sandbox';
import { createProgress } from '../../cli/print/progress.ts';

export interface ThrowawaySandbox {
  readonly dir: string;
  readonly kubeconfig: string;
  readonly temporalAddress: string;
  /** So many simulated ones: `sim-0` and on. */
  readonly nodes: number;
  /** Its processes by name. */
  readonly pids: Readonly<Record<string, number>>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

const BENCHES = fileURLToPath(new URL('../../.signalbox/bench', import.meta.url));
/** A kubelet's own limit. */
const PODS_PER_NODE = 100;
const LEAST_NODES = 2;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Simulated nodes enough for so many pods, or the local node, where pods are processes. */
type Nodes = number | 'local';

/** A sandbox as `signalbox sandbox up` makes it, writes synced to disk. */
async function startThrowawaySandbox(nodes: Nodes): Promise<ThrowawaySandbox> {
  await removeAbandoned();
  const dir = join(BENCHES, String(process.pid));
  const progress = createProgress(process.stderr);
  const localNode = nodes === 'local';
  const simulatedNodes = localNode ? 0 : Math.max(LEAST_NODES, Math.ceil(nodes / PODS_PER_NODE));
  try {
    const options = { dir, durable: true, localNode, simulatedNodes, report: progress };
    const { kubeconfig, temporalAddress } = await ensureSandbox(options);
    const remove = () => removeSandbox(dir);
    return { dir, kubeconfig, temporalAddress, nodes: simulatedNodes, pids: pidsOf(dir), remove };
  } catch (error) {
    await removeSandbox(dir);
    throw error;
  } finally {
    progress.end();
  }
}

/** Works in a sandbox of its own, which is removed however the work ends. */
export async function inThrowawaySandbox<T>(
  nodes: Nodes,
  work: (sandbox: ThrowawaySandbox) => Promise<T>,
): Promise<T> {
  const sandbox = await startThrowawaySandbox(nodes);
  return removing(
    () => sandbox.remove(),
    () => work(sandbox),
  );
}

/** Works, and removes what there is, however the work ends, by a signal as well. */
export async function removing<T>(remove: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const interrupted = () => void remove().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    await remove();
  }
}

async function removeSandbox(dir: string): Promise<void> {
  await resetSandbox(dir);
  await rm(dir, { recursive: true, force: true });
}

/** A bench that was killed leaves its sandbox running; the folder is named after the bench's process. */
async function removeAbandoned(): Promise<void> {
  await mkdir(BENCHES, { recursive: true });
  for (const name of await readdir(BENCHES))
    if (!isRunning(Number(name))) await removeSandbox(join(BENCHES, name));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function pidsOf(dir: string): Record<string, number> {
  const status = sandboxStatus(dir);
  if (!status.running) return {};
  return Object.fromEntries(
    status.state.components.flatMap(({ name, process }) => (process ? [[name, process.pid]] : [])),
  );
}
