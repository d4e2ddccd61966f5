import { valueAt } from '../language/fields.ts';

/** Whether a manifest, or a custom resource, says that its job is to have no pods; whatever form it has otherwise. */
export const isSuspendedByManifest = (manifest: unknown): boolean =>
  valueAt(manifest, 'spec.runPolicy.suspend') === true;
