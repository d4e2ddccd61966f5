import { totalmem } from 'node:os';

const MB = 1_048_576;
/** Resident memory of a worker without workflows, and what each cached one adds (docs/performance.md). */
const BASE_MB = 400;
const WORKFLOW_MB = 0.5;
const FEWEST = 100;
const MOST = 10_000;

/** What a worker process takes that keeps the fewest workflows in memory. */
export const LEAST_MB = BASE_MB + FEWEST * WORKFLOW_MB;

/**
 * Returns how many workflows each of the processes of a worker keeps in memory: as many as fit into its share. Others are
 * replayed with their next event.
 */
export function cacheSizeFor(processes: number, memory: Memory = ownMemory()): number {
  const mb = usableMb(memory) / processes;
  return Math.min(Math.max(Math.floor((mb - BASE_MB) / WORKFLOW_MB), FEWEST), MOST);
}

/** Returns 80 % of the memory limit of the container, or a quarter of a machine's memory, which others use, too. */
export const usableMb = ({ limit, total }: Memory): number =>
  (limit === undefined ? 0.25 * total : 0.8 * limit) / MB;

/** In bytes. */
export interface Memory {
  readonly total: number;
  /** Of the container, if it has one. */
  readonly limit?: number;
}

export function ownMemory(): Memory {
  const total = totalmem();
  const limit = process.constrainedMemory();
  return limit > 0 && limit < total ? { total, limit } : { total };
}
