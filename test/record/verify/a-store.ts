import { writeArchive } from '../../../record/archive/archive-writer.ts';
import type { LogLeaf } from '../../../record/archive/log-leaf.ts';
import { updateIndex } from '../../../record/index/archive-index.ts';
import { appendToLog } from '../../../record/log/append.ts';
import type { LogSigner } from '../../../record/log/signer.ts';
import type { StoreFinding } from '../../../record/verify/verification.ts';
import { type StoreToVerify, verifyStore } from '../../../record/verify/verify-store.ts';
import { someContents } from '../archive/some-job.ts';
import { aSigner } from '../log/a-log.ts';
import { MemoryStore } from '../log/memory-store.ts';

export interface WrittenStore {
  readonly store: MemoryStore;
  readonly signer: LogSigner;
  readonly leaves: readonly LogLeaf[];
}

/** Returns a store with archives in batches of these sizes, each with its checkpoint, and an index. */
export async function aStore(
  batches: readonly number[],
  { signer = aSigner(), from = 0 }: { readonly signer?: LogSigner; readonly from?: number } = {},
): Promise<WrittenStore> {
  const store = new MemoryStore();
  const leaves: LogLeaf[] = [];
  for (const size of batches) {
    for (let left = size; left > 0; left -= 1) leaves.push(await anArchive(store, from + leaves.length));
    await appendToLog(store, signer, leaves.slice(-size));
    await updateIndex(store);
  }
  return { store, signer, leaves };
}

/** Every fifth one has a workflow id of its own. */
export async function anArchive(store: MemoryStore, number: number): Promise<LogLeaf> {
  const name = `train-${number % 7}`;
  const workflowId = number % 5 === 0 ? `nightly ${number}` : `job/ml/${name}`;
  const closed = `2026-11-${10 + (number % 3)}T10:05:01.000Z`;
  return writeArchive(store, await someContents({ name, workflowId, closed, firstRunId: `run${number}` }));
}

export const copyOf = ({ store }: WrittenStore): MemoryStore => new MemoryStore(new Map(store.files));

export async function findingsIn(
  store: MemoryStore,
  signer: LogSigner,
  more: Partial<StoreToVerify> = {},
): Promise<StoreFinding[]> {
  const findings: StoreFinding[] = [];
  const keys = signer.keys.map(({ verifier }) => verifier);
  await verifyStore({ store, keys, find: (finding) => findings.push(finding), ...more });
  return findings;
}
