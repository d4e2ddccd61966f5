import { canonicalJson } from '../../language/canonical-json.ts';
import { type AnyLeaf, DELETION_SCHEMA, LEAF_SCHEMA } from '../archive/log-leaf.ts';
import { LARGEST_ENTRY } from './entries.ts';
import { leafHash } from './tree-hash.ts';

/** A leaf as the log has it. */
export interface EncodedLeaf<Leaf extends AnyLeaf = AnyLeaf> {
  readonly leaf: Leaf;
  readonly bytes: Buffer;
  /** Of RFC 6962. */
  readonly hash: Buffer;
}

/** Throws a `RangeError` for a leaf that is longer than an entry of a log can be. */
export function encodeLeaf<Leaf extends AnyLeaf>(leaf: Leaf): EncodedLeaf<Leaf> {
  const bytes = Buffer.from(canonicalJson(leaf));
  if (bytes.length > LARGEST_ENTRY) {
    throw new RangeError(
      `leaf of ${leaf.folder}: expected at most ${LARGEST_ENTRY} bytes, got ${bytes.length}`,
    );
  }
  return { leaf, bytes, hash: leafHash(bytes) };
}

/** Reads a leaf of the log. Throws a `TypeError` that says what is wrong with it. */
export function decodeLeaf(bytes: Buffer): EncodedLeaf {
  const leaf = JSON.parse(bytes.toString()) as AnyLeaf;
  if (!SCHEMAS.includes(leaf?.schema)) {
    throw new TypeError(
      `expected a leaf of schema ${SCHEMAS.join(' or ')}, found ${JSON.stringify(leaf?.schema)}`,
    );
  }
  if (canonicalJson(leaf) !== bytes.toString())
    throw new TypeError('expected canonical JSON, found another form');
  return { leaf, bytes, hash: leafHash(bytes) };
}

const SCHEMAS: readonly AnyLeaf['schema'][] = [LEAF_SCHEMA, DELETION_SCHEMA];
