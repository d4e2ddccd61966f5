import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The GPUs of one maker in this machine. */
export interface Gpus {
  /** As the maker's device plugin names it, e.g. `nvidia.com/gpu`. */
  readonly resource: string;
  /** As the variable names them. */
  readonly ids: readonly string[];
  /** The variable that says which of them a process sees. */
  readonly variable: string;
}

interface Machine {
  /** Returns what a program prints; throws if it is not there, or fails. */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
  /** Where its devices and the kernel's files begin. */
  readonly root: string;
}

const THIS_MACHINE: Machine = {
  run: async (program, args) => (await promisify(execFile)(program, args, { timeout: 20_000 })).stdout,
  root: '/',
};

/** Finds the GPUs of this machine; none of a maker whose driver is not loaded. */
export async function findGpus(machine: Machine = THIS_MACHINE): Promise<readonly Gpus[]> {
  const found = [
    { resource: 'nvidia.com/gpu', variable: 'CUDA_VISIBLE_DEVICES', ids: await nvidiaIds(machine) },
    { resource: 'amd.com/gpu', variable: 'ROCR_VISIBLE_DEVICES', ids: await amdIds(machine) },
  ];
  return found.filter(({ ids }) => ids.length > 0);
}

/** By UUID, as CUDA numbers devices in another order than nvidia-smi; by number where only device files are there. */
async function nvidiaIds({ run, root }: Machine): Promise<string[]> {
  try {
    return linesOfOutput(await run('nvidia-smi', ['--query-gpu=uuid', '--format=csv,noheader']));
  } catch {
    const files = await readdir(join(root, 'dev')).catch(() => []);
    return files.flatMap((name) => /^nvidia(\d+)$/.exec(name)?.[1] ?? []).sort(byNumber);
  }
}

/** The kernel's driver lists processors and GPUs as nodes; a GPU has SIMD units. */
async function amdIds({ root }: Machine): Promise<string[]> {
  const folder = join(root, 'sys/class/kfd/kfd/topology/nodes');
  const nodes = (await readdir(folder).catch(() => [])).sort(byNumber);
  const texts = await Promise.all(
    nodes.map((node) => readFile(join(folder, node, 'properties'), 'utf8').catch(() => '')),
  );
  return texts.filter((text) => /^simd_count [1-9]/m.test(text)).map((_, index) => String(index));
}

const linesOfOutput = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const byNumber = (one: string, other: string): number => Number(one) - Number(other);
