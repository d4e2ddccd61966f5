import { readFile } from 'node:fs/promises';

export interface Usage {
  /** Seconds of processor time, of user and system, with those of its children that ended. */
  readonly cpu: number;
  /** What is resident now, in MB. */
  readonly residentMb: number;
  /** The most memory that was resident at a time, in MB. */
  readonly peakMb: number;
}

/** Ticks a second in /proc; Linux has no other value on the platforms of Node. */
const TICKS = 100;

/** From /proc, so undefined elsewhere than on Linux, and for a process that has ended. */
export async function usageOf(pid: number): Promise<Usage | undefined> {
  try {
    const [stat, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ]);
    // The name in brackets may contain blanks; utime, stime, cutime and cstime are the 12th to 15th field after it.
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15);
    const cpu = times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
    const inMb = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { cpu, residentMb: inMb('VmRSS'), peakMb: inMb('VmHWM') };
  } catch {
    return undefined;
  }
}

/**
 * Of a process and its children, but for those of `apart`: a worker of several processes, or PostgreSQL with one for each
 * connection. The peaks of all need not be of one time, so that their sum is a bound.
 */
export async function usageWithChildren(
  pid: number,
  apart: readonly number[] = [],
): Promise<Usage | undefined> {
  const own = await usageOf(pid);
  const children = (await childrenOf(pid)).filter((child) => !apart.includes(child));
  const usages = (await Promise.all(children.map(usageOf))).filter((usage) => usage !== undefined);
  return (
    own &&
    usages.reduce(
      (sum, { cpu, residentMb, peakMb }) => ({
        cpu: sum.cpu + cpu,
        residentMb: sum.residentMb + residentMb,
        peakMb: sum.peakMb + peakMb,
      }),
      own,
    )
  );
}

/** Processor seconds of each process since `before`, by name; what cannot be known is left out. */
export async function cpuSince(
  before: ReadonlyMap<string, number>,
  pids: Readonly<Record<string, number>>,
): Promise<Record<string, number>> {
  const now = await cpuNow(pids);
  return Object.fromEntries([...now].map(([name, cpu]) => [name, cpu - (before.get(name) ?? 0)]));
}

export async function cpuNow(pids: Readonly<Record<string, number>>): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  for (const [name, pid] of Object.entries(pids)) {
    // The bench's children have names of their own.
    const usage = await usageWithChildren(pid, Object.values(pids));
    if (usage) known.set(name, usage.cpu);
  }
  return known;
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}
