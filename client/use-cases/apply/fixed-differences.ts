import { isDeepStrictEqual } from 'node:util';
import type { AdmissionSettings } from '../../../contracts/job-revision.ts';
import { ANNOTATIONS } from '../../../contracts/labels.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import { READ_ANNOTATIONS } from '../../../contracts/written-manifest.ts';
import { withPolicy, withReplicas } from '../../../frameworks/changes/manifest-changes.ts';
import { parseManifest } from '../../../frameworks/manifest/parse-manifest.ts';
import { asFields, type Fields, unlessEmpty } from '../../../language/fields.ts';
import { compareManifests } from '../../../record/compare/manifest-differences.ts';
import type { ValueDifference } from '../../../record/compare/structure.ts';

interface ComparedManifests {
  readonly before: unknown;
  /** It has no faults. */
  readonly after: unknown;
  readonly settings: AdmissionSettings;
}

/** Returns every difference, whatever it means. What looks like a secret is compared, but not returned. */
export function allDifferences({
  before,
  after,
}: Omit<ComparedManifests, 'settings'>): readonly ValueDifference[] {
  const { manifest, policy, environment, images } = compareManifests(before, after);
  return [...manifest, ...policy, ...environment, ...images];
}

/**
 * Returns what differs in fields that a job keeps from its submission to its end. A field that both leave to its default,
 * or write in two ways, does not.
 */
export function fixedDifferences(compared: ComparedManifests): readonly ValueDifference[] {
  return hasSameFixedParts(compared) ? [] : allDifferences(compared).filter(isFixed);
}

/** Whether the jobs are equal once the new one has the sizes, policy, deadline and suspension of the old one. */
function hasSameFixedParts({ before, after, settings }: ComparedManifests): boolean {
  const old = parseManifest(before, settings);
  if ('faults' in old) return false;
  const { replicas, policy, runPolicy } = changeableParts(before, old.job);
  const resized = withReplicas(after, replicas);
  const masked = withRunPolicy(withPolicyText(resized, policy), runPolicy);
  const kept = parseManifest(masked, settings);
  return 'job' in kept && isDeepStrictEqual(fixedParts(kept.job), fixedParts(old.job));
}

function changeableParts(manifest: unknown, { roles, annotations }: TrainingJob) {
  const { suspend, activeDeadlineSeconds } = asFields(asFields(asFields(manifest).spec).runPolicy);
  return {
    replicas: Object.fromEntries(roles.map(({ name, replicas }) => [name, replicas])),
    policy: annotations[ANNOTATIONS.policy],
    runPolicy: { suspend, activeDeadlineSeconds },
  };
}

function withPolicyText(manifest: unknown, text: string | undefined): Fields {
  if (text !== undefined) return asFields(withPolicy(manifest, text));
  const { metadata, ...others } = asFields(manifest);
  const { annotations, ...about } = asFields(metadata);
  const { [ANNOTATIONS.policy]: _, ...kept } = asFields(annotations);
  return { ...others, metadata: { ...about, annotations: kept } };
}

function withRunPolicy(manifest: Fields, fields: Fields): Fields {
  const spec = asFields(manifest.spec);
  const merged = Object.entries({ ...asFields(spec.runPolicy), ...fields });
  const runPolicy = unlessEmpty(Object.fromEntries(merged.filter(([, value]) => value !== undefined)));
  const { runPolicy: _, ...others } = spec;
  return { ...manifest, spec: { ...others, ...(runPolicy ? { runPolicy } : {}) } };
}

/** Warnings are no part of a job, and unknown fields do not matter to it. */
const fixedParts = ({ warnings: _, annotations, ...job }: TrainingJob) => ({
  ...job,
  annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => READ_ANNOTATIONS.has(key))),
});

const isFixed = ({ steps }: ValueDifference): boolean =>
  steps[0] === 'metadata' ? isReadAnnotation(steps) : !isSize(steps) && !CHANGEABLE.has(steps.join('.'));

const isReadAnnotation = ([, field, key = '']: readonly string[]): boolean =>
  field === 'annotations' && key !== ANNOTATIONS.policy && READ_ANNOTATIONS.has(key);

/** `spec.worker.replicas`, or with the field that holds the roles between the first two. */
const isSize = (steps: readonly string[]): boolean => steps.at(-1) === 'replicas' && steps.length <= 4;

const CHANGEABLE: ReadonlySet<string> = new Set([
  'spec.runPolicy.suspend',
  'spec.runPolicy.activeDeadlineSeconds',
]);
