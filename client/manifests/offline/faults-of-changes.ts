import { formatFault } from '../../../contracts/faults.ts';
import type { Fault } from '../../../contracts/types.ts';
import { checkPodPaths } from '../../../frameworks/manifest/pod-model.ts';
import { type ManifestOptions, validateManifest } from './validate.ts';

interface Change {
  readonly before: unknown;
  readonly after: unknown;
  /** Paths that were changed. */
  readonly changed: readonly (readonly string[])[];
}

/** Returns the faults that a change of fields adds, and that a submission does not have: misspelt paths, and wrong types in pods. */
export const faultsOfChange = (
  { before, after, changed }: Change,
  options: ManifestOptions,
): readonly Fault[] => [...unknownSince(before, after, options), ...checkPodPaths(after, changed)];

/** The manifest before may have unknown fields, and they may be accepted. A new one is a misspelt path, a fault always. */
function unknownSince(before: unknown, after: unknown, options: ManifestOptions): readonly Fault[] {
  const faultsIn = (manifest: unknown, strict: boolean) =>
    validateManifest(manifest, { ...options, strict }).faults;
  const known = new Set([...faultsIn(before, true), ...faultsIn(after, false)].map(formatFault));
  return faultsIn(after, true)
    .filter((fault) => !known.has(formatFault(fault)))
    .map(({ path, expected, got }) => ({ path, expected, got }));
}
