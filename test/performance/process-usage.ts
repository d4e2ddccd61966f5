import { readFile } from 'node:fs/promises';

export interface Usage {
  /** Seconds of processor time, of user and system. */
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
    // The name in brackets may contain blanks; utime and stime are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const cpu = (Number(fields[11]) + Number(fields[12])) / TICKS;
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
    if (usage) known.set(name, usage.cpu);
  }
  return known;
}
