import { availableParallelism } from 'node:os';
import type { WorkerSettings } from '../contracts/settings.ts';
import { LEAST_MB, type Memory, ownMemory, usableMb } from './cache-size.ts';

interface Machine {
  readonly cores: number;
  readonly memory: Memory;
}

/**
 * Returns how many processes a worker consists of. `auto`: one for each core, as a process cannot use much more, but no
 * more than fit into the memory.
 */
export function processCount(
  processes: WorkerSettings['processes'],
  { cores, memory }: Machine = ownMachine(),
): number {
  if (processes !== 'auto') return processes;
  return Math.max(1, Math.min(cores, Math.floor(usableMb(memory) / LEAST_MB)));
}

/** Node's number of cores heeds the process's CPU affinity and the CPU limit of its container. */
const ownMachine = (): Machine => ({ cores: availableParallelism(), memory: ownMemory() });
