import type { ArchiveStore } from '../archive/archive-store.ts';
import { isDeletion } from '../archive/log-leaf.ts';
import { deletionPlaceKey, leafPlaceKey } from '../log/log-keys.ts';
import { NoteError, UnknownSignerError } from '../log/signed-note.ts';
import type { VerifierKey } from '../log/verifier-key.ts';
import { isAbout, type LoggedDeletion } from './logged-archives.ts';
import { type ProvenLeaf, proveLeaf, verifyLeafProof } from './prove-leaf.ts';
import { type StoreFinding, StoreListing, type Verification } from './verification.ts';
import { type VerifiedArchive, verifyDeletion, verifyJobArchive } from './verify-archive.ts';

/** Compares one archive with the newest checkpoint, by a proof of inclusion: reads no other archive. */
export async function verifyJob(
  store: ArchiveStore,
  folder: string,
  { keys, find }: { readonly keys: readonly VerifierKey[]; readonly find: (finding: StoreFinding) => void },
): Promise<VerifiedArchive> {
  const listed: string[] = [];
  for await (const key of store.list(`${folder}/`)) listed.push(key);
  const verification = { store, keys, find, listing: new StoreListing(listed) };
  const proven = await provenAt(verification, folder, leafPlaceKey(folder));
  if (!proven) return NOTHING;
  const { leaf, index, hash } = proven;
  if (leaf.folder !== folder || isDeletion(leaf)) {
    tellOther(verification, folder, proven);
    return NOTHING;
  }
  const logged = { index, hash, leaf };
  if (!(await store.read(deletionPlaceKey(folder)))) return verifyJobArchive(verification, logged);
  const deletion = await provenAt(verification, folder, deletionPlaceKey(folder));
  if (!deletion) return NOTHING;
  if (isOfDeletion(deletion) && isAbout(deletion.leaf, logged))
    return verifyDeletion(verification, logged, deletion);
  tellOther(verification, folder, deletion);
  return NOTHING;
}

const NOTHING: VerifiedArchive = { files: 0, bytes: 0, finders: [] };

const isOfDeletion = (proven: ProvenLeaf): proven is ProvenLeaf & LoggedDeletion => isDeletion(proven.leaf);

function tellOther({ find }: Verification, folder: string, { leaf, index }: ProvenLeaf): void {
  const found = `leaf ${index}, of ${leaf.folder}`;
  find({ kind: 'changed', key: leafPlaceKey(folder), expected: `a leaf of ${folder}`, found, folder });
}

/** Returns the leaf whose place is noted there, or reports what is wrong with it. */
async function provenAt(
  { store, keys, find }: Verification,
  folder: string,
  key: string,
): Promise<ProvenLeaf | undefined> {
  const proof = await proveLeaf(store, folder, key);
  if (!proof) {
    const expected = 'the place of a leaf for this archive';
    find({ kind: 'unlogged', key, expected, found: 'no file', folder });
    return undefined;
  }
  const proven = provenBy(proof, keys);
  if (!('fault' in proven)) return proven;
  const { expected, found } = proven.fault;
  find({ kind: proven.kind, key, expected, found, folder });
  return undefined;
}

function provenBy(
  proof: string,
  keys: readonly VerifierKey[],
): ProvenLeaf | { readonly fault: NoteError | UnknownSignerError; readonly kind: StoreFinding['kind'] } {
  try {
    return verifyLeafProof(Buffer.from(proof), keys);
  } catch (error) {
    if (error instanceof UnknownSignerError) return { fault: error, kind: 'signature' };
    if (error instanceof NoteError) return { fault: error, kind: 'contradiction' };
    throw error;
  }
}
