import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventually } from '../eventually.ts';

/** A bench's own archive, beside its kubeconfig. */
export const archiveDirOf = (kubeconfig: string) => join(dirname(kubeconfig), 'archive');

/** How many jobs are archived. */
export async function countArchived(kubeconfig: string): Promise<number> {
  const names = await readdir(archiveDirOf(kubeconfig), { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('/job.json')).length;
}

/** Waits until so many jobs are archived: else the next measurement would have the work. */
export async function untilArchived(kubeconfig: string, jobs: number): Promise<void> {
  if (process.env.SIGNALBOX_ARCHIVE_STORE === 'none') return;
  const isDone = async () => (await countArchived(kubeconfig)) >= jobs;
  await eventually(`${jobs} jobs are archived`, isDone, { withinMs: 300_000, everyMs: 500 });
}
