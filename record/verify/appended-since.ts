import type { AnyLeaf } from '../archive/log-leaf.ts';
import { LogDamagedError } from '../log/errors.ts';
import { readArchiveLog } from '../log/read-archive-log.ts';
import type { Verification } from './verification.ts';

/** Returns the leaves that were appended to the log while the store was read. */
export async function appendedSince(
  { store }: Pick<Verification, 'store'>,
  size: number,
): Promise<readonly AnyLeaf[]> {
  const leaves: AnyLeaf[] = [];
  try {
    for await (const { leaf } of (await readArchiveLog(store)).leaves(size)) leaves.push(leaf);
  } catch (error) {
    // Other checks have reported errors of the log.
    if (!(error instanceof LogDamagedError)) throw error;
  }
  return leaves;
}
