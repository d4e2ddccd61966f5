import { totalmem } from 'node:os';

const MB = 1_048_576;
/** Resident memory of a worker without workflows, and what each cached one adds (docs/performance.md). */
const BASE_MB = 400;
const WORKFLOW_MB = 0.5;
const FEWEST = 100;
const MOST = 10_000;

/**
 * Returns how many workflows a worker keeps in memory: as many as fit into 80 % of the memory limit of its container, or
 * into a quarter of a machine's memory, which others use, too. Others are replayed with their next event.
 */
export function cacheSizeFor(memory: Memory = ownMemory()): number {
  const mb = memory.limit === undefined ? 0.25 * memory.total : 0.8 * memory.limit;
  return Math.min(Math.max(Math.floor((mb / MB - BASE_MB) / WORKFLOW_MB), FEWEST), MOST);
}

/** In bytes. */
interface Memory {
  readonly total: number;
  /** Of the container, if it has one. */
  readonly limit?: number;
}

function ownMemory(): Memory {
  const total = totalmem();
  const limit = process.constrainedMemory();
  return limit > 0 && limit < total ? { total, limit } : { total };
}
