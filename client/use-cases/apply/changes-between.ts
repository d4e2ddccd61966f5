import { isDeepStrictEqual } from 'node:util';
import type { Fault } from '../../../contracts/faults.ts';
import type { JobSource } from '../../../contracts/job-revision.ts';
import { ANNOTATIONS } from '../../../contracts/labels.ts';
import { withoutLastApplied } from '../../../contracts/last-applied.ts';
import {
  AMEND_POLICY_UPDATE,
  EXTEND_DEADLINE_UPDATE,
  RESUME_UPDATE,
  SCALE_UPDATE,
  SUSPEND_UPDATE,
} from '../../../contracts/messages.ts';
import type { Policy } from '../../../contracts/policy.ts';
import { findRole } from '../../../contracts/roles.ts';
import { cannotScaleText } from '../../../contracts/scaling.ts';
import { isFinal, type Phase } from '../../../contracts/status.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import { writtenManifest } from '../../../contracts/written-manifest.ts';
import { amendJob } from '../../../frameworks/changes/amend.ts';
import { presentManifest } from '../../../frameworks/changes/build-job.ts';
import { frameworkOf } from '../../../frameworks/kinds/registry.ts';
import { parseManifest } from '../../../frameworks/manifest/parse-manifest.ts';
import { rolePath } from '../../../frameworks/model/framework.ts';
import { readPolicyDocument } from '../../../frameworks/policy/document.ts';
import { normalisePolicy } from '../../../frameworks/policy/normalise.ts';
import type { Fields } from '../../../language/fields.ts';
import { mergePatchBetween } from '../../../language/merge-patch.ts';
import { withoutNulls } from '../../../language/without-nulls.ts';
import type { ValueDifference } from '../../../record/compare/structure.ts';
import type { ManifestChange } from './apply-options.ts';
import { allDifferences, fixedDifferences } from './fixed-differences.ts';

/** A job, and what a manifest does not say of it. */
export interface PresentJob {
  readonly source: JobSource;
  /** What requests added to its activeDeadlineSeconds. */
  readonly extendedSeconds: number;
  readonly phase: Phase;
  /** Until then its status does not say that it is suspended, but its manifest does. */
  readonly isAdmitted: boolean;
}

/** A request that makes the job what its new manifest says, as far as it is about these values. */
export interface JobRequest {
  /** Name of the Temporal update. */
  readonly update: string;
  readonly argument: Fields;
  readonly changes: readonly ManifestChange[];
}

type JobChanges =
  | {
      /** In the order in which the job takes them. */
      readonly requests: readonly JobRequest[];
      /** Labels, which a job keeps: they change nothing that runs. */
      readonly kept: readonly ManifestChange[];
    }
  | { readonly faults: readonly Fault[] };

/**
 * Says what a changed manifest means for a job: requests, nothing, or why not, by path. The manifest says all: what it leaves
 * out has its default. For an ended job, which cannot be suspended, this says whether the manifest is that of another job.
 */
export function changesBetween(present: PresentJob, given: unknown): JobChanges {
  const { source, phase } = present;
  const manifests = { before: asWritten(presentManifest(source)), after: asWritten(given) };
  const after = parseManifest(manifests.after, source.settings);
  if ('faults' in after) return { faults: after.faults };
  const differences = allDifferences(manifests);
  const fixed = fixedDifferences({ ...manifests, settings: source.settings });
  const before = parseManifest(manifests.before, source.settings);
  if (fixed.length > 0) return { faults: fixed.map(faultOfFixed) };
  // It was refused as it is.
  if ('faults' in before) return { requests: [], kept: [] };
  const jobs: Jobs = { before: before.job, after: after.job, present, differences };
  const sizes = sizeRequests(jobs);
  const policy = policyRequest(jobs);
  const deadline = deadlineChange(jobs);
  const faults = [...scaleFaults(jobs, sizes), ...amendFaults(source, sizes, policy), ...deadline.faults];
  if (faults.length > 0) return { faults };
  const suspension = isFinal(phase) ? [] : suspensionRequest(jobs);
  const [first, last] = jobs.after.plan.runPolicy.suspend ? [suspension, []] : [[], suspension];
  const kept = differences.filter(({ steps }) => steps[0] === 'metadata' && steps[1] === 'labels');
  return {
    requests: [...first, ...policy, ...sizes, ...deadline.requests, ...last],
    kept: kept.map(changeOf),
  };
}

interface Jobs {
  readonly before: TrainingJob;
  readonly after: TrainingJob;
  readonly present: PresentJob;
  readonly differences: readonly ValueDifference[];
}

const asWritten = (manifest: unknown) => withoutNulls(writtenManifest(withoutLastApplied(manifest)));

const changeOf = ({ path, a, b }: ValueDifference): ManifestChange => ({ path, from: a, to: b });

const faultOfFixed = ({ path, a, b }: ValueDifference): Fault => ({
  path,
  expected: `${shownValue(a)}, which a job keeps from its submission to its end`,
  got: shownValue(b),
});

const shownValue = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** The larger sizes first: a gang must never be smaller than its minAvailable. */
function sizeRequests({ before, after }: Jobs): readonly SizeRequest[] {
  const resized = after.roles.flatMap(({ name, replicas }) => {
    const from = findRole(before.roles, name)?.replicas ?? replicas;
    const path = `${rolePath(after.plan, name)}.replicas`;
    const argument = { role: name, replicas };
    return from === replicas
      ? []
      : [{ update: SCALE_UPDATE, argument, changes: [{ path, from, to: replicas }] as const }];
  });
  return resized.sort((one, other) => growthOf(other) - growthOf(one));
}

type SizeRequest = JobRequest & {
  readonly argument: { readonly role: string; readonly replicas: number };
  readonly changes: readonly [{ readonly path: string; readonly from: number; readonly to: number }];
};

const growthOf = ({ changes: [{ from, to }] }: SizeRequest) => to - from;

/** The job itself refuses it, too; whoever applies a manifest gets all faults, before anything changes. */
function scaleFaults({ before, after, present }: Jobs, sizes: readonly SizeRequest[]): Fault[] {
  const restarts = after.plan.policy?.scaleByRestart;
  if (present.phase !== 'Running' || restarts || after.plan.runPolicy.suspend) return [];
  return sizes.flatMap(({ argument: { role }, changes: [{ path, from, to }] }) => {
    if (findRole(before.plan.roles, role)?.scales) return [];
    return [{ path, expected: `${from}: ${cannotScaleText(role, before.kind)}`, got: `${to}` }];
  });
}

function amendFaults(
  source: JobSource,
  sizes: readonly SizeRequest[],
  [policy]: readonly PolicyRequest[],
): readonly Fault[] {
  if (sizes.length === 0 && !policy) return [];
  const replicas = Object.fromEntries(sizes.map(({ argument }) => [argument.role, argument.replicas]));
  const amended = amendJob(source, { replicas, ...policy?.argument });
  return 'faults' in amended ? amended.faults : [];
}

type PolicyRequest = JobRequest & { readonly argument: { readonly policy: Fields } };

/** Documents that are written in two ways, e.g. with `60s` and `1m`, are one policy. */
function policyRequest({ before, after, differences }: Jobs): readonly PolicyRequest[] {
  if (isDeepStrictEqual(policyInEffect(before), policyInEffect(after))) return [];
  const policy = mergePatchBetween(documentOf(before), documentOf(after));
  const changes = differences.filter(({ steps }) => steps[2] === ANNOTATIONS.policy).map(changeOf);
  return policy ? [{ update: AMEND_POLICY_UPDATE, argument: { policy }, changes }] : [];
}

const policyInEffect = ({ plan }: TrainingJob): Policy => plan.policy ?? normalisePolicy({});

function documentOf({ annotations }: TrainingJob): Fields {
  const read = readPolicyDocument(annotations[ANNOTATIONS.policy] ?? '{}');
  return 'document' in read ? read.document : {};
}

interface DeadlineChange {
  readonly requests: readonly JobRequest[];
  readonly faults: readonly Fault[];
}

/** What requests added by hand stays, unless the manifest changes its deadline. */
function deadlineChange({ before, after, present }: Jobs): DeadlineChange {
  const path = 'spec.runPolicy.activeDeadlineSeconds';
  const old = before.plan.runPolicy.activeDeadlineSeconds;
  const to = after.plan.runPolicy.activeDeadlineSeconds;
  if (old === to) return UNCHANGED;
  const refused = (expected: string) => ({ requests: [], faults: [{ path, expected, got: shownValue(to) }] });
  if (old === undefined) return refused('nothing, as a job that was submitted without a deadline gets none');
  const from = old + present.extendedSeconds;
  if (to === undefined || to < from) {
    return refused(`an integer >= ${from}, as the deadline of a live job can only be extended`);
  }
  const argument = { seconds: to - from };
  const request = { update: EXTEND_DEADLINE_UPDATE, argument, changes: [{ path, from, to }] };
  return to === from ? UNCHANGED : { requests: [request], faults: [] };
}

const UNCHANGED: DeadlineChange = { requests: [], faults: [] };

/** A kind whose manifest cannot say it is suspended by requests alone. */
function suspensionRequest({ before, after, present }: Jobs): readonly JobRequest[] {
  if (!frameworkOf(after).dialect.fields.runPolicy?.includes('suspend')) return [];
  const isBornSuspended = !present.isAdmitted && before.plan.runPolicy.suspend === true;
  const from = present.phase === 'Suspended' || isBornSuspended;
  const to = after.plan.runPolicy.suspend ?? false;
  const update = to ? SUSPEND_UPDATE : RESUME_UPDATE;
  return from === to
    ? []
    : [{ update, argument: {}, changes: [{ path: 'spec.runPolicy.suspend', from, to }] }];
}
