import type { AdmissionSettings, JobSource } from '../../contracts/job-revision.ts';
import { referencesOf, withReferences } from '../../contracts/references.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { type ParsedManifest, parseManifest } from '../manifest/parse-manifest.ts';
import { withPolicy, withReplicas } from './manifest-changes.ts';

/** Builds a revision of a job from its source: the same source gives the same job. */
export function buildJob(source: JobSource): ParsedManifest {
  const parsed = parseManifest(presentManifest(source), source.settings);
  return 'faults' in parsed ? parsed : { job: asRevision(parsed.job, source.settings, source.revision) };
}

/** Adds to a parsed job what its manifest does not say. */
export function asRevision(
  parsed: TrainingJob,
  { schedulerName, gangWarnings, lane, onHang }: AdmissionSettings,
  revision: number,
): TrainingJob {
  return {
    ...parsed,
    gang: { ...parsed.gang, schedulerName },
    warnings: [...parsed.warnings, ...gangWarnings],
    revision,
    ...(onHang === undefined ? {} : { plan: { ...parsed.plan, onHang } }),
    ...(lane === undefined ? {} : { lane: parsed.plan.policy?.lane?.name ?? lane }),
  };
}

/** Returns the manifest with all amendments so far, and with the objects that it names as they were at first. */
export function presentManifest({ manifest, amended, settings }: JobSource): unknown {
  const references = [...referencesOf(manifest), ...(settings.references ?? [])];
  if (!amended) return withReferences(manifest, references);
  const resized = withReplicas(amended.manifest ?? manifest, amended.replicas);
  const present = amended.policy === undefined ? resized : withPolicy(resized, amended.policy);
  return withReferences(present, references);
}
