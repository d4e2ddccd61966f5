import { createHash } from 'node:crypto';
import { canonicalJson } from '../language/canonical-json.ts';
import type { JobResource } from './job-resources.ts';
import type { ResourceIdentity } from './types.ts';
import { READ_ANNOTATIONS } from './written-manifest.ts';

/** Returns which state of a resource this is. Its generation does not count changes of annotations. */
export function identityOfResource({ apiVersion, kind, metadata }: JobResource): ResourceIdentity {
  const { uid = '', generation = 1 } = metadata;
  const annotations = hashOfAnnotations(metadata.annotations);
  return { apiVersion, kind, uid, generation, ...(annotations ? { annotations } : {}) };
}

/** Long enough for the few states that one resource has. */
const LENGTH = 16;

/** Returns undefined if none of them decides anything. */
export function hashOfAnnotations(annotations: JobResource['metadata']['annotations']): string | undefined {
  const read = Object.entries(annotations ?? {}).filter(([name]) => READ_ANNOTATIONS.has(name));
  if (read.length === 0) return undefined;
  const text = canonicalJson(Object.fromEntries(read));
  return createHash('sha256').update(text).digest('hex').slice(0, LENGTH);
}
