import { isFieldPath } from '../../../contracts/parameter-sweep.ts';
import type { ParentJob } from '../../../contracts/parent-job.ts';
import type { Fault } from '../../../contracts/types.ts';
import { writtenManifest } from '../../../contracts/written-manifest.ts';
import { presentManifest } from '../../../frameworks/changes/build-job.ts';
import { editManifest, type ManifestEdit } from '../../../frameworks/changes/edit-manifest.ts';
import { asFields, type Fields } from '../../../language/fields.ts';
import type { RecordedSource } from '../../../record/compare/recorded-source.ts';
import { InvalidManifestError } from '../../errors/errors.ts';
import { faultsOfEnvironment, withContainerEnvironment } from '../../manifests/container-environment.ts';
import { faultsOfChange } from '../../manifests/offline/faults-of-changes.ts';
import { type ManifestOptions, validateManifest } from '../../manifests/offline/validate.ts';
import {
  editsOfFields,
  faultsOfNames,
  faultsOfValue,
  withQuotes,
  withVariables,
} from '../../manifests/set-values.ts';
import type { RerunChanges } from './rerun-options.ts';

/** A job on record, in Temporal or in an archive. */
export interface RerunSource {
  readonly parent: ParentJob;
  readonly name: string;
  readonly namespace: string;
  readonly source: RecordedSource;
}

/**
 * A rerun before it is submitted.
 *
 * @public
 */
export interface RerunPlan {
  /** What to submit; it has no errors. */
  readonly manifest: object;
  /** Where it runs if the manifest names no namespace. */
  readonly namespace: string;
  /** The job that it is made from. */
  readonly parent: ParentJob;
  /** The revision that was taken, and how many there are. */
  readonly revision: number;
  readonly revisions: number;
  /** Accepted settings that may not be what the user meant. */
  readonly warnings: readonly string[];
}

/** Makes the manifest of a rerun, and checks it as a whole. Throws `InvalidManifestError` with all faults. */
export async function planRerun(job: RerunSource, changes: RerunChanges): Promise<RerunPlan> {
  const { revision = 1, name = job.name, strict } = changes;
  const recorded = manifestOfRevision(job.source, revision);
  if ('fault' in recorded) throw invalidRerun([recorded.fault]);
  const before = withName(asFields(writtenManifest(recorded.manifest)), name);
  const edited = changedManifest(before, changes);
  if ('faults' in edited) throw invalidRerun(edited.faults);
  const { manifest } = edited;
  const checked: ManifestOptions = { namespace: job.namespace, strict };
  const faults = faultsOfChange({ before, after: manifest, changed: edited.changed }, checked);
  const { faults: others, warnings } = validateManifest(manifest, checked);
  if (faults.length + others.length > 0) throw invalidRerun(faults.length > 0 ? faults : others);
  const parent = revision === 1 ? job.parent : { ...job.parent, revision };
  const revisions = job.source.revisions.at(-1)?.number ?? 1;
  const { namespace } = job;
  return { manifest: manifest as object, namespace, parent, revision, revisions, warnings };
}

/** Returns the manifest of a revision, with its sizes and its policy. */
export function manifestOfRevision(
  source: RecordedSource,
  revision: number,
): { readonly manifest: unknown } | { readonly fault: Fault } {
  if (revision === 1) return { manifest: source.manifest };
  const amended = source.revisions.find(({ number }) => number === revision);
  if (amended)
    return { manifest: presentManifest({ ...source, revision, amended, settings: source.settings! }) };
  const known = [1, ...source.revisions.map(({ number }) => number)];
  const expected = known.length === 1 ? '1, as the job was never amended' : `one of ${known.join(', ')}`;
  return { fault: { path: 'revision', expected, got: String(revision) } };
}

const withName = (manifest: Fields, name: string): Fields => ({
  ...manifest,
  metadata: { ...asFields(manifest.metadata), name },
});

const invalidRerun = (faults: readonly Fault[]) =>
  new InvalidManifestError(faults.map(withQuotes), [], { of: 'rerun' });

/** Variables for all containers come first, so that `set` finds them. */
function changedManifest(manifest: Fields, { set = [], env = {} }: RerunChanges) {
  const withEnv = withContainerEnvironment(manifest, env);
  const values = isList(set) ? set.map(({ path, value }) => [path, value] as const) : Object.entries(set);
  const faults = [
    ...faultsOfEnvironment(env),
    ...faultsOfNames(
      withEnv,
      values.map(([name]) => name),
    ),
    ...values.flatMap(([name, value]) => (isFieldPath(name) ? [] : faultsOfValue(name, value))),
  ];
  return faults.length > 0 ? { faults } : editManifest(withVariables(withEnv, values), editsOfFields(values));
}

const isList = (set: NonNullable<RerunChanges['set']>): set is readonly ManifestEdit[] => Array.isArray(set);
