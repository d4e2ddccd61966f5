import { isDeepStrictEqual } from 'node:util';
import { compareManifests } from '../../contracts/differences/manifest-differences.ts';
import type { ValueDifference } from '../../contracts/differences/structure.ts';
import type { AdmissionSettings } from '../../contracts/job-revision.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { READ_ANNOTATIONS } from '../../contracts/written-manifest.ts';
import { asFields, type Fields, unlessEmpty } from '../../language/fields.ts';
import { parseManifest } from '../manifest/parse-manifest.ts';
import { withPolicy, withReplicas } from './manifest-changes.ts';

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
 * Returns what differs in fields that pods are made from, and in those that no job ever changes. A field that both leave to
 * its default, or write in two ways, does not.
 */
export function fixedDifferences(compared: ComparedManifests): readonly ValueDifference[] {
  return hasSameFixedParts(compared) ? [] : allDifferences(compared).filter(isFixed);
}

/** Whether a job keeps the field from its submission to its end, also while it is suspended and has no pods. */
export const isKeptForLife = ({ steps }: ValueDifference): boolean =>
  steps[0] === 'metadata'
    ? steps[2] !== ANNOTATIONS.waitForMaster
    : steps[0] === 'kind' || steps[0] === 'apiVersion';

/** Whether the jobs are equal once the new one has the sizes, policy and run policy of the old one. */
function hasSameFixedParts({ before, after, settings }: ComparedManifests): boolean {
  const old = parseManifest(before, settings);
  if ('faults' in old) return false;
  const { annotations, roles } = old.job;
  const resized = withReplicas(
    after,
    Object.fromEntries(roles.map(({ name, replicas }) => [name, replicas])),
  );
  const masked = withRunPolicyOf(before, withPolicyText(resized, annotations[ANNOTATIONS.policy]));
  const kept = parseManifest(masked, settings);
  return 'job' in kept && isDeepStrictEqual(fixedParts(kept.job), fixedParts(old.job));
}

function withPolicyText(manifest: unknown, text: string | undefined): Fields {
  if (text !== undefined) return asFields(withPolicy(manifest, text));
  const { metadata, ...others } = asFields(manifest);
  const { annotations, ...about } = asFields(metadata);
  const { [ANNOTATIONS.policy]: _, ...kept } = asFields(annotations);
  return { ...others, metadata: { ...about, annotations: kept } };
}

/** Takes from another manifest what may change while a job runs. */
function withRunPolicyOf(other: unknown, manifest: Fields): Fields {
  const [from, to] = [asFields(asFields(other).spec), asFields(manifest.spec)];
  const [old, own] = [asFields(from.runPolicy), asFields(to.runPolicy)];
  const runPolicy = withGroupOf(old, withFieldsOf(old, own));
  // Some kinds have fields of a run policy, and of a scheduling policy, in spec itself.
  const spec = withGroupOf(from, withFieldsOf(from, to));
  return { ...manifest, spec: withOrWithout(spec, 'runPolicy', runPolicy) };
}

function withGroupOf(from: Fields, to: Fields): Fields {
  const policy = withFieldsOf(asFields(from.schedulingPolicy), asFields(to.schedulingPolicy), GROUP);
  return withOrWithout(to, 'schedulingPolicy', policy);
}

function withOrWithout(fields: Fields, name: string, value: Fields): Fields {
  const { [name]: _, ...others } = fields;
  return unlessEmpty(value) ? { ...others, [name]: value } : others;
}

function withFieldsOf(from: Fields, to: Fields, names: readonly string[] = FOLLOWED): Fields {
  const others = Object.entries(to).filter(([name]) => !names.includes(name));
  const taken = Object.entries(from).filter(([name]) => names.includes(name));
  return Object.fromEntries([...others, ...taken]);
}

/** Fields of a run policy that a job follows at any time. */
export const FOLLOWED = [
  ...(['suspend', 'activeDeadlineSeconds', 'backoffLimit'] as const),
  ...(['ttlSecondsAfterFinished', 'cleanPodPolicy'] as const),
] as const;

/** Fields of a scheduling policy that a job follows where its gang scheduler allows it. */
export const GROUP = ['minAvailable', 'minResources'] as const;

export const isOfGroup = ({ steps }: ValueDifference): boolean =>
  GROUP_PATHS.some((path) => path.every((step, index) => steps[index] === step));

const GROUP_PATHS = GROUP.flatMap((field) => [
  ['spec', 'schedulingPolicy', field],
  ['spec', 'runPolicy', 'schedulingPolicy', field],
]);

/** Warnings are no part of a job, and unknown fields do not matter to it. */
const fixedParts = ({ warnings: _, annotations, ...job }: TrainingJob) => ({
  ...job,
  annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => READ_ANNOTATIONS.has(key))),
});

function isFixed(difference: ValueDifference): boolean {
  const { steps } = difference;
  if (steps[0] === 'metadata') return isReadAnnotation(steps);
  return !isSize(steps) && !isOfGroup(difference) && !CHANGEABLE.has(steps.join('.'));
}

const isReadAnnotation = ([, field, key = '']: readonly string[]): boolean =>
  field === 'annotations' && key !== ANNOTATIONS.policy && READ_ANNOTATIONS.has(key);

/** `spec.worker.replicas`, or with the field that holds the roles between the first two. */
const isSize = (steps: readonly string[]): boolean => steps.at(-1) === 'replicas' && steps.length <= 4;

const CHANGEABLE: ReadonlySet<string> = new Set(
  FOLLOWED.flatMap((field) => [`spec.runPolicy.${field}`, `spec.${field}`]),
);
