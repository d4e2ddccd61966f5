import { createHash } from 'node:crypto';
import { canonicalJson } from '../language/canonical-json.ts';
import { writtenManifest } from './written-manifest.ts';

/**
 * Returns a hash of what a user wrote. It depends neither on the order of keys nor on what an API server or a program adds;
 * docs/wire-contract.md has test vectors.
 */
export const manifestHashOf = (manifest: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(writtenManifest(manifest)))
    .digest('hex');
