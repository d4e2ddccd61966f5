import { createHash } from 'node:crypto';
import { canonicalJson } from '../record/ledger/canonical.ts';

/** Returns a hash that does not depend on the order of keys; docs/wire-contract.md has test vectors. */
export const manifestHashOf = (manifest: unknown): string =>
  createHash('sha256').update(canonicalJson(manifest)).digest('hex');
