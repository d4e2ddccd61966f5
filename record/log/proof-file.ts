import { parseCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { NoteError } from './signed-note.ts';
import { HASH_BYTES } from './tree-hash.ts';

/** Proves without a store that a leaf is in a log (C2SP tlog-proof). */
export interface LeafProof {
  readonly index: number;
  /** The leaf itself. */
  readonly leaf: Buffer;
  /** From the leaf's sibling to the root's child. */
  readonly hashes: readonly Buffer[];
  /** The bytes of a signed checkpoint. */
  readonly checkpoint: Uint8Array;
}

const HEADER = 'c2sp.org/tlog-proof@v1';

/** The leaf is the extra data of the form: it needs no trust, as its hash must lead to the root. */
export function formatLeafProof({ index, leaf, hashes, checkpoint }: LeafProof): string {
  const lines = [HEADER, `extra ${leaf.toString('base64')}`, `index ${index}`];
  const proof = hashes.map((hash) => hash.toString('base64'));
  return `${[...lines, ...proof].join('\n')}\n\n${Buffer.from(checkpoint).toString()}`;
}

/** Reads a proof; nothing in it is checked. Throws `NoteError`. */
export function parseLeafProof(bytes: Uint8Array): LeafProof & { readonly signed: SignedCheckpoint } {
  const text = Buffer.from(bytes).toString();
  const end = text.indexOf('\n\n');
  const [header, extra = '', index = '', ...hashes] = text.slice(0, Math.max(end, 0)).split('\n');
  if (header !== HEADER) throw new NoteError(`${HEADER} in the first line`, JSON.stringify(header));
  if (!extra.startsWith('extra ')) throw new NoteError('the leaf in the second line', 'none');
  if (!/^index (0|[1-9]\d{0,14})$/.test(index)) {
    throw new NoteError('the index of a leaf in the third line', JSON.stringify(index));
  }
  const checkpoint = Buffer.from(text.slice(end + 2));
  return {
    index: Number(index.slice('index '.length)),
    leaf: base64In(extra.slice('extra '.length)),
    hashes: hashes.map(hashIn),
    checkpoint,
    signed: parseCheckpoint(checkpoint),
  };
}

function hashIn(line: string): Buffer {
  const hash = base64In(line);
  if (hash.length === HASH_BYTES) return hash;
  throw new NoteError(`a hash of ${HASH_BYTES} bytes`, String(hash.length));
}

/** A decoder ignores what is not base64: only one text per value is accepted. */
function base64In(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') === text) return bytes;
  throw new NoteError('base64', JSON.stringify(text.slice(0, 60)));
}
