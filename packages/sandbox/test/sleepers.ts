import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { until } from './support.ts';

/** A duration for `sleep` that no other process of this machine has in its command line. */
export const uniqueTime = () => `1000.${randomBytes(4).readUInt32LE()}`;

/** The pids of processes that sleep for that time. Zombies have no command line. */
export async function findSleepers(time: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => lines[index] === `sleep\0${time}\0`).map(Number);
}

export const sleeps = (time: string): Promise<number> =>
  until(`somebody sleeps for ${time} s`, async () => (await findSleepers(time))[0]);

export const isAwake = (time: string): Promise<true> =>
  until(`nobody sleeps for ${time} s`, async () => (await findSleepers(time)).length === 0) as Promise<true>;
