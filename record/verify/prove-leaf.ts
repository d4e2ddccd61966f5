import type { ArchiveStore } from '../archive/archive-store.ts';
import type { AnyLeaf } from '../archive/log-leaf.ts';
import { LogDamagedError } from '../log/errors.ts';
import { decodeLeaf } from '../log/leaf-bytes.ts';
import { leafPlaceKey } from '../log/log-keys.ts';
import { formatLeafProof, type LeafProof, parseLeafProof } from '../log/proof-file.ts';
import { inclusionProof, rootOfInclusion } from '../log/proofs.ts';
import { readArchiveLog } from '../log/read-archive-log.ts';
import { formatNote, NoteError, signersOf } from '../log/signed-note.ts';
import { leafHash } from '../log/tree-hash.ts';
import { TreeReader } from '../log/tree-reader.ts';
import type { VerifierKey } from '../log/verifier-key.ts';

/** A leaf, and the signed log that it is proven to be in. */
export interface ProvenLeaf {
  readonly leaf: AnyLeaf;
  readonly hash: Buffer;
  readonly index: number;
  readonly log: { readonly origin: string; readonly size: number; readonly root: Buffer };
  readonly signedBy: readonly VerifierKey[];
}

/**
 * Returns a proof that an archive is in the log, with the newest checkpoint; undefined if the log does not have it.
 * `placeKey`: where the place of the leaf is noted.
 */
export async function proveLeaf(
  store: ArchiveStore,
  folder: string,
  placeKey: string = leafPlaceKey(folder),
): Promise<string | undefined> {
  const place = await store.read(placeKey);
  if (!place) return undefined;
  const index = Number(Buffer.from(place).toString().split(' ')[0]);
  const log = await readArchiveLog(store);
  const { newest } = log;
  for await (const { bytes: leaf } of log.leaves(index, index + 1)) {
    const hashes = await inclusionProof(new TreeReader(store, log.size), { index, size: log.size });
    const checkpoint = Buffer.from(formatNote(newest.signed!.note));
    return formatLeafProof({ index, leaf, hashes, checkpoint });
  }
  throw new LogDamagedError(placeKey, `a place in a log of ${log.size} leaves`, `${index}`);
}

/** Checks a proof with nothing but the keys. Throws `NoteError`, or `UnknownSignerError`. */
export function verifyLeafProof(bytes: Uint8Array, keys: readonly VerifierKey[]): ProvenLeaf {
  const { signed, ...proof } = parseLeafProof(bytes);
  const signedBy = signersOf(signed.note, keys);
  if (!keys.some(({ name }) => name === signed.origin)) {
    throw new NoteError(
      `a checkpoint of the log ${keys.map(({ name }) => name).join(' or ')}`,
      `one of ${signed.origin}`,
    );
  }
  const { origin, size, root } = signed;
  return { ...leafIn(proof, { size, root }), index: proof.index, log: { origin, size, root }, signedBy };
}

function leafIn(
  { leaf, index, hashes }: Pick<LeafProof, 'leaf' | 'index' | 'hashes'>,
  { size, root }: { readonly size: number; readonly root: Buffer },
) {
  const hash = leafHash(leaf);
  const found = rootOfInclusion(hash, { index, size, proof: hashes });
  if (found?.equals(root)) return { leaf: decodeLeaf(leaf).leaf, hash };
  const expected = `a proof that leads to the root ${root.toString('base64')}`;
  throw new NoteError(expected, `one that leads to ${found?.toString('base64') ?? 'no root'}`);
}
