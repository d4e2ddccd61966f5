import { isDeepStrictEqual } from 'node:util';
import type { ManifestChange } from '../../contracts/differences/manifest-change.ts';
import type { ValueDifference } from '../../contracts/differences/structure.ts';
import type { JobSource } from '../../contracts/job-revision.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { withoutLastApplied } from '../../contracts/last-applied.ts';
import { referencesOf, withReferences } from '../../contracts/references.ts';
import { findRole, totalReplicas } from '../../contracts/roles.ts';
import { cannotGrowText, cannotScaleText } from '../../contracts/scaling.ts';
import { type GangProvider, gangTraits, givesQuota, type TrainingJob } from '../../contracts/training-job.ts';
import type { Fault, Policy } from '../../contracts/types.ts';
import { writtenManifest } from '../../contracts/written-manifest.ts';
import { withoutNulls } from '../../language/without-nulls.ts';
import { frameworkOf } from '../kinds/registry.ts';
import { parseManifest } from '../manifest/parse-manifest.ts';
import { type Framework, rolePath } from '../model/framework.ts';
import { runPolicyField } from '../model/run-policy-field.ts';
import { normalisePolicy } from '../policy/normalise.ts';
import { checkGang, checkSpares } from './amend.ts';
import { asRevision, presentManifest } from './build-job.ts';
import { allDifferences, FOLLOWED, fixedDifferences, isKeptForLife, isOfGroup } from './fixed-differences.ts';

/** A job, and what a manifest does not say of it. */
export interface PresentJob {
  readonly source: JobSource;
  /** What requests added to its activeDeadlineSeconds. */
  readonly extendedSeconds?: number;
  /** Absent for a job that has ended, which cannot be suspended. */
  readonly isSuspended?: boolean;
  /** It has pods that a restart would disturb. */
  readonly isRunning: boolean;
  /** What places its gang; absent where that is not known, and the job itself decides. */
  readonly gang?: GangProvider;
}

/** What makes a job what its new manifest says. */
interface JobChanges {
  readonly changes: readonly ManifestChange[];
  /** Labels, which a job keeps: they change nothing that runs. */
  readonly kept: readonly ManifestChange[];
  /** The next revision; absent if the present one says the same. */
  readonly job?: TrainingJob;
  /** Whether the job is to be suspended or resumed; absent if it stays as it is. */
  readonly suspend?: boolean;
}

/**
 * Says what a changed manifest means for a job: changes, nothing, or why not, by path. The manifest says all: what it leaves
 * out has its default. Pods are never of two minds: what they are made from changes only while there are none.
 */
export function changesBetween(
  present: PresentJob,
  given: unknown,
): JobChanges | { readonly faults: readonly Fault[] } {
  const { settings, revision } = present.source;
  const before = asWritten(presentManifest(present.source));
  // What it refers to stays as it was when the job was submitted.
  const manifests = { before, after: withReferences(asWritten(given), referencesOf(before)) };
  const after = parseManifest(manifests.after, settings);
  if ('faults' in after) return { faults: after.faults };
  const known = parseManifest(manifests.before, settings);
  const differences = allDifferences(manifests);
  const fixed = fixedDifferences({ ...manifests, settings });
  // It was refused as it is.
  if ('faults' in known)
    return fixed.length > 0 ? { faults: fixed.map((one) => faultOfFixed(one, after.job)) } : UNCHANGED;
  const jobs: Jobs = { before: known.job, after: after.job, present, differences };
  const sizes = sizeChanges(jobs);
  const groups = groupDifferences(jobs);
  const faults = [
    ...fixedFaults(jobs, fixed),
    ...groupFaults(jobs, groups),
    ...sizeFaults(jobs, sizes),
    ...checkSpares(known.job, after.job, present.gang),
  ];
  if (faults.length > 0) return { faults };
  const revised = [
    ...policyChanges(jobs),
    ...sizes.map(({ role: _, ...size }) => size),
    ...groups.map(changeOf),
    ...runPolicyChanges(jobs),
    ...fixed.map(changeOf),
  ];
  const suspension = suspensionChange(jobs);
  return {
    changes: [...revised.filter(({ from, to }) => from !== to), ...(suspension ? [suspension] : [])],
    kept: differences.filter(({ steps }) => steps[1] === 'labels' && steps[0] === 'metadata').map(changeOf),
    ...(revised.length > 0 ? { job: asRevision(after.job, settings, revision + 1) } : {}),
    ...(suspension ? { suspend: suspension.to } : {}),
  };
}

const UNCHANGED: JobChanges = { changes: [], kept: [] };

interface Jobs {
  readonly before: TrainingJob;
  readonly after: TrainingJob;
  readonly present: PresentJob;
  readonly differences: readonly ValueDifference[];
}

const asWritten = (manifest: unknown) => withoutNulls(writtenManifest(withoutLastApplied(manifest)));

const changeOf = ({ path, a, b }: ValueDifference): ManifestChange => ({ path, from: a, to: b });

/** A job without pods, or that will have none, can have other templates; no job gets another kind, name or set of roles. */
function fixedFaults(jobs: Jobs, fixed: readonly ValueDifference[]): readonly Fault[] {
  const { before, after } = jobs;
  const isWithoutPods = hasNoPods(jobs);
  const names = [
    { path: 'metadata.name', a: before.name, b: after.name },
    { path: 'metadata.namespace', a: before.namespace, b: after.namespace },
  ];
  const roles = { path: rolePath(before.plan), a: roleNames(before), b: roleNames(after) };
  const isSameKind = before.kind === after.kind && before.apiVersion === after.apiVersion;
  const others = isWithoutPods && isSameKind ? [...names, roles] : names;
  const renamed = others.filter(({ a, b }) => !isDeepStrictEqual(a, b)).map(faultOfLife);
  const wrong = isWithoutPods ? fixed.filter(isKeptForLife) : fixed;
  return [...renamed, ...wrong.map((one) => faultOfFixed(one, after))];
}

const hasNoPods = ({ after, present }: Jobs): boolean =>
  present.isSuspended === true || after.plan.runPolicy.suspend === true;

const roleNames = ({ roles }: TrainingJob) => roles.map(({ name }) => name).sort();

const faultOfFixed = (difference: ValueDifference, job: TrainingJob): Fault =>
  isKeptForLife(difference) ? faultOfLife(difference) : faultOf(difference, keptByPods(frameworkOf(job)));

const faultOfLife = (difference: Omit<ValueDifference, 'steps'>): Fault => faultOf(difference, KEPT);

const faultOf = ({ path, a, b }: Omit<ValueDifference, 'steps'>, why: string): Fault => ({
  path,
  expected: `${shownValue(a)}, ${why}`,
  got: shownValue(b),
});

export const KEPT = 'which a job keeps from its submission to its end';
export const keptByPods = (framework: Pick<Framework, 'dialect'>): string =>
  `which a job keeps while it has pods: ${changesWhen(framework)}`;

export const keptByGroup = (framework: Framework): string =>
  `which a job that Kubernetes itself places keeps while it has pods: ${changesWhen(framework)}`;

const changesWhen = ({ dialect: { suspend } }: Pick<Framework, 'dialect'>) =>
  `it can change ${suspend ? `together with ${suspend}` : 'while the job is suspended'}`;

const shownValue = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** What differs in how many pods must be placed together, and what must be free for them. */
const groupDifferences = ({ before, after, differences }: Jobs): readonly ValueDifference[] =>
  isDeepStrictEqual(groupOf(before), groupOf(after)) ? [] : differences.filter(isOfGroup);

const groupOf = ({ gang: { minMember, minResources } }: TrainingJob) => ({ minMember, minResources });

/** The group of a job that has pods can change where its scheduler allows it, but not so that it is never complete. */
function groupFaults(jobs: Jobs, groups: readonly ValueDifference[]): readonly Fault[] {
  const sizes = groups.filter(({ steps }) => steps.at(-1) === 'minAvailable');
  if (sizes.length === 0 || hasNoPods(jobs)) return [];
  const { before, after, present } = jobs;
  if (present.gang && gangTraits(present.gang).keepsGroupSize)
    return sizes.map((size) => faultOf(size, keptByGroup(frameworkOf(after))));
  const members = totalReplicas(after.roles);
  const expected = `an integer <= ${members}, the number of pods that can be placed together`;
  return checkGang(before, after).flatMap(() =>
    sizes.map(({ path, b }) => ({ path, expected, got: shownValue(b) })),
  );
}

interface SizeChange extends ManifestChange {
  readonly role: string;
  readonly from: number;
  readonly to: number;
}

/** Those of roles that follow from other objects follow from other fields, too. */
function sizeChanges({ before, after }: Jobs): readonly SizeChange[] {
  if (frameworkOf(after).references) return [];
  return after.roles.flatMap(({ name: role, replicas: to }) => {
    const from = findRole(before.roles, role)?.replicas ?? to;
    return from === to ? [] : [{ path: `${rolePath(after.plan, role)}.replicas`, from, to, role }];
  });
}

function sizeFaults(jobs: Jobs, sizes: readonly SizeChange[]): readonly Fault[] {
  if (sizes.length === 0) return [];
  const { before, after, present } = jobs;
  const { policy, runPolicy } = after.plan;
  const mayRestart = !present.isRunning || policy?.scaleByRestart || runPolicy.suspend;
  const fixed = mayRestart ? [] : sizes.filter(({ role }) => !findRole(before.plan.roles, role)?.scales);
  const faults = fixed.map(({ path, role, from, to }) => ({
    ...{ path, expected: `${from}: ${cannotScaleText(role, before.kind)}`, got: `${to}` },
  }));
  const isQueued = !mayRestart && present.gang !== undefined && givesQuota(present.gang);
  const grown = sizes.filter((size) => isQueued && !fixed.includes(size) && size.to > size.from);
  const overQuota = grown.map(({ path, role, from, to }) => ({
    ...{ path, expected: `at most ${from}: ${cannotGrowText(role)}`, got: `${to}` },
  }));
  return [...faults, ...overQuota, ...(groupDifferences(jobs).length > 0 ? [] : checkGang(before, after))];
}

/** Documents that are written in two ways, e.g. with `60s` and `1m`, are one policy. */
const policyChanges = ({ before, after, differences }: Jobs): readonly ManifestChange[] =>
  isDeepStrictEqual(policyInEffect(before), policyInEffect(after))
    ? []
    : differences.filter(({ steps }) => steps[2] === ANNOTATIONS.policy).map(changeOf);

const policyInEffect = ({ plan }: TrainingJob): Policy => plan.policy ?? normalisePolicy({});

/** A deadline that requests extended stays, unless the manifest changes it. */
function runPolicyChanges({ before, after, present }: Jobs): readonly ManifestChange[] {
  const [old, wanted] = [before.plan.runPolicy, after.plan.runPolicy];
  const { extendedSeconds = 0 } = present;
  return FOLLOWED.flatMap((field) => {
    const [from, to] = [old[field], wanted[field]];
    if (field === 'suspend' || from === to) return [];
    const isExtended = field === 'activeDeadlineSeconds' && typeof from === 'number';
    return [{ path: pathIn(before, field), from: isExtended ? from + extendedSeconds : from, to }];
  });
}

const pathIn = (job: TrainingJob, field: string) =>
  runPolicyField(frameworkOf(job).dialect, field) ?? `spec.${field}`;

/** A kind whose manifest cannot say it is suspended by requests alone. */
function suspensionChange({ after, present: { isSuspended: from } }: Jobs) {
  const { suspend: to = false } = after.plan.runPolicy;
  const { suspend } = frameworkOf(after).dialect;
  if (from === undefined || from === to || !suspend) return undefined;
  return { path: `spec.${suspend}`, from, to };
}
