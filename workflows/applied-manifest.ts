import type { AdmissionTerms } from '../activities/admit.ts';
import type { PlannedRevision } from '../contracts/job-revision.ts';
import type { ResourceIdentity } from '../contracts/types.ts';

/** What a job was made from. An update of the job can replace it. */
export interface MadeFrom {
  readonly manifest: unknown;
  /** Number of the first revision of the manifest; absent if it is as submitted. */
  readonly appliedRevision?: number;
  /** Absent before admission. */
  readonly terms?: AdmissionTerms;
  /** The manifest that an update applies at the moment. */
  readonly applying?: unknown;
}

interface Applied {
  readonly manifest: unknown;
  readonly resource?: ResourceIdentity;
  readonly planned?: PlannedRevision;
}

/** Returns what a job is made from once a manifest was applied. One that says the same leaves the manifest as it is. */
export function madeFromApplied(
  before: MadeFrom & { readonly terms: AdmissionTerms },
  { manifest, resource, planned }: Applied,
): MadeFrom {
  const { terms } = before;
  const settings = resource ? { ...terms.settings, resource } : terms.settings;
  const revised = planned ? { manifest, appliedRevision: planned.revision.number } : {};
  return { ...before, ...revised, terms: { ...terms, settings }, applying: undefined };
}
