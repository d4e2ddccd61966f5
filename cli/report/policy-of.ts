import { isFields, valueAt } from '../../contracts/fields.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';

/** The policy document in a manifest's annotations, as its text. */
export function policyOf(manifest: unknown): string | undefined {
  const annotations = valueAt(manifest, 'metadata.annotations');
  const policy = isFields(annotations) ? annotations[ANNOTATIONS.policy] : undefined;
  return typeof policy === 'string' ? policy : undefined;
}
