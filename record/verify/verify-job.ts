import type { ArchiveStore } from '../archive/archive-store.ts';
import { leafPlaceKey } from '../log/log-keys.ts';
import { NoteError, UnknownSignerError } from '../log/signed-note.ts';
import type { VerifierKey } from '../log/verifier-key.ts';
import { type ProvenLeaf, proveLeaf, verifyLeafProof } from './prove-leaf.ts';
import { type StoreFinding, StoreListing } from './verification.ts';
import { type VerifiedArchive, verifyJobArchive } from './verify-archive.ts';

/** Compares one archive with the newest checkpoint, by a proof of inclusion: reads no other archive. */
export async function verifyJob(
  store: ArchiveStore,
  folder: string,
  { keys, find }: { readonly keys: readonly VerifierKey[]; readonly find: (finding: StoreFinding) => void },
): Promise<VerifiedArchive> {
  const listed: string[] = [];
  for await (const key of store.list(`${folder}/`)) listed.push(key);
  const proof = await proveLeaf(store, folder);
  if (!proof) {
    const expected = 'the place of a leaf for this archive';
    find({ kind: 'unvouched', key: leafPlaceKey(folder), expected, found: 'no file', folder });
    return NOTHING;
  }
  const proven = provenBy(proof, keys);
  if ('fault' in proven) {
    const expected = `a leaf of ${folder} in the signed log`;
    find({ kind: proven.kind, key: leafPlaceKey(folder), expected, found: proven.fault, folder });
    return NOTHING;
  }
  if (proven.leaf.folder !== folder) {
    find({
      kind: 'changed',
      key: leafPlaceKey(folder),
      expected: `a leaf of ${folder}`,
      found: proven.leaf.folder,
      folder,
    });
    return NOTHING;
  }
  return verifyJobArchive({ store, keys, find, listing: new StoreListing(listed) }, proven);
}

const NOTHING: VerifiedArchive = { files: 0, bytes: 0, finders: [] };

function provenBy(
  proof: string,
  keys: readonly VerifierKey[],
): ProvenLeaf | { readonly fault: string; readonly kind: StoreFinding['kind'] } {
  try {
    return verifyLeafProof(Buffer.from(proof), keys);
  } catch (error) {
    if (error instanceof UnknownSignerError) return { fault: error.message, kind: 'signature' };
    if (error instanceof NoteError) return { fault: error.message, kind: 'contradiction' };
    throw error;
  }
}
