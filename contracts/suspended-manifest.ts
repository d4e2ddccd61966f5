import { valueAt } from '../language/fields.ts';

/** Whether a manifest, or a custom resource, says that its job is to have no pods; whatever form it has otherwise. */
export const isSuspendedByManifest = (manifest: unknown): boolean =>
  SUSPEND_FIELDS.some((field) => valueAt(manifest, `spec.${field}`) === true);

/** Where kinds have it, below spec. */
const SUSPEND_FIELDS = ['runPolicy.suspend', 'suspend'] as const;
export type SuspendField = (typeof SUSPEND_FIELDS)[number];
