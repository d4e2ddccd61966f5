import { createHash, randomBytes } from 'node:crypto';
import type { Fault } from '../../contracts/types.ts';
import { isFields } from '../../language/fields.ts';

/** Those of Kubernetes' generated names: no vowels, and no two that look alike. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
/** Kubernetes has five, and tries others when a name is taken. With eight none will be. */
const LENGTH = 8;

/**
 * Returns the manifest with a name that begins with its `generateName`, if it has no name. With a key the name follows
 * from the key, in every client: a program that is restarted finds its job again. Without one it is random.
 */
export function withGeneratedName(manifest: unknown, key?: string): unknown {
  const bytes = key === undefined ? randomBytes(LENGTH) : createHash('sha256').update(key).digest();
  return named(manifest, () =>
    [...bytes.subarray(0, LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join(''),
  );
}

/** Returns the manifest with a name as long as its generated ones, for checks. */
export const withExampleName = (manifest: unknown): unknown => named(manifest, () => 'x'.repeat(LENGTH));

/** Returns whether the job has a generated name, unless it gets one from elsewhere. */
export function hasGeneratedName(manifest: unknown): boolean {
  const metadata = isFields(manifest) && isFields(manifest.metadata) ? manifest.metadata : {};
  const { name, generateName } = metadata;
  return (name ?? '') === '' && typeof generateName === 'string' && generateName !== '';
}

/** Returns the faults of one of several manifests that are submitted with one key: it would be the name of all of them. */
export const faultsWithSharedKey = (manifest: unknown, key: string | undefined): readonly Fault[] =>
  key !== undefined && hasGeneratedName(manifest) ? [NO_NAME] : [];

const NO_NAME: Fault = {
  path: 'metadata.name',
  expected: 'a name, as several jobs have this key',
  got: 'a generateName',
};

function named(manifest: unknown, ending: () => string): unknown {
  if (!hasGeneratedName(manifest) || !isFields(manifest) || !isFields(manifest.metadata)) return manifest;
  const { generateName, ...metadata } = manifest.metadata;
  return { ...manifest, metadata: { ...metadata, name: `${String(generateName)}${ending()}` } };
}
