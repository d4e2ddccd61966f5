import { ANNOTATIONS } from '../../contracts/labels.ts';
import { isFields, valueAt } from '../../language/fields.ts';
import type { RecordedSource } from './recorded-source.ts';

/** Returns the text of the last amendment's policy document, else of the manifest's. */
export function policyInEffect({ manifest, revisions }: RecordedSource): string | undefined {
  const annotations = valueAt(manifest, 'metadata.annotations');
  const own = isFields(annotations) ? annotations[ANNOTATIONS.policy] : undefined;
  const policy = revisions.findLast((revision) => revision.policy !== undefined)?.policy ?? own;
  return typeof policy === 'string' ? policy : undefined;
}
