import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventually } from '../eventually.ts';

/** A bench's own archive, beside its kubeconfig. */
export const archiveDirOf = (kubeconfig: string) => join(dirname(kubeconfig), 'archive');

/** Works, and waits until so many more jobs are archived: else the next measurement would have that work. */
export async function untilArchived<T>(kubeconfig: string, jobs: number, work: () => Promise<T>): Promise<T> {
  const before = await countArchived(kubeconfig);
  const result = await work();
  if (process.env.SIGNALBOX_ARCHIVE_STORE === 'none') return result;
  const isDone = async () => (await countArchived(kubeconfig)) >= before + jobs;
  await eventually(`${jobs} more jobs are archived`, isDone, { withinMs: 300_000, everyMs: 500 });
  return result;
}

async function countArchived(kubeconfig: string): Promise<number> {
  const names = await readdir(archiveDirOf(kubeconfig), { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('/job.json')).length;
}
