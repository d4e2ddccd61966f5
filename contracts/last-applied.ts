import { isFields, unlessEmpty } from '../language/fields.ts';
import { refuseNesting } from './nesting.ts';

/** In it `kubectl apply` repeats the whole manifest, with the value of every variable. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Returns a manifest without that annotation, also in pod templates, and without `annotations` that had no other. What
 * the Python client removes is the same, as the hash of a submission does not depend on the annotation. Throws for a manifest
 * that is nested too deep to be read.
 */
export function withoutLastApplied(manifest: unknown): unknown {
  refuseNesting(manifest);
  const json = JSON.stringify(manifest) ?? '';
  return json.includes(LAST_APPLIED) ? removed(JSON.parse(json)) : manifest;
}

function removed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removed);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key !== 'annotations' || !isFields(inner) || !(LAST_APPLIED in inner))
        return [[key, removed(inner)]];
      const { [LAST_APPLIED]: _, ...others } = inner;
      return unlessEmpty(others) ? [[key, others]] : [];
    }),
  );
}
