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
    const usage = await usageOf(pid);
    if (!usage) continue;
    // PostgreSQL works in children: one for each connection. The bench's children have names of their own.
    const own = (await childrenOf(pid)).filter((child) => !Object.values(pids).includes(child));
    const children = await Promise.all(own.map(usageOf));
    known.set(
      name,
      children.reduce((sum, child) => sum + (child?.cpu ?? 0), usage.cpu),
    );
  }
  return known;
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}
