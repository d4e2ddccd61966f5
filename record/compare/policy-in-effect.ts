import { ANNOTATIONS } from '../../contracts/labels.ts';
import { isFields, valueAt } from '../../language/fields.ts';
import type { RecordedSource } from './recorded-source.ts';

/** Returns the text of the policy document of the last revision. */
export function policyInEffect({ manifest, revisions }: RecordedSource): string | undefined {
  const last = revisions.at(-1);
  const annotations = valueAt(last?.manifest ?? manifest, 'metadata.annotations');
  const own = isFields(annotations) ? annotations[ANNOTATIONS.policy] : undefined;
  const policy = last?.policy ?? own;
  return typeof policy === 'string' ? policy : undefined;
}
