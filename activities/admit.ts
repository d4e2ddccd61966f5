import { ApiError } from '../cluster/errors.ts';
import { readNamedObjects } from '../cluster/read-named-objects.ts';
import type { AdmissionSettings, PlannedRevision } from '../contracts/job-revision.ts';
import { ANNOTATIONS } from '../contracts/labels.ts';
import { DEFAULT_POLICY } from '../contracts/policy.ts';
import { withReferences } from '../contracts/references.ts';
import { isServed } from '../contracts/served-namespaces.ts';
import type { StuckPod } from '../contracts/stuck-pod.ts';
import type { GangProvider, GateName, TrainingJob } from '../contracts/training-job.ts';
import type { ResourceIdentity } from '../contracts/types.ts';
import { asRevision } from '../frameworks/changes/build-job.ts';
import { type ParsedManifest, parseManifest } from '../frameworks/manifest/parse-manifest.ts';
import { unreadReferences } from '../frameworks/manifest/references.ts';
import { chooseGang } from '../gang/choose.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { valueAt } from '../language/fields.ts';
import type { WorkflowIdentity } from '../resources/anchor.ts';
import { admittedLane } from './admitted-lane.ts';
import { claimName } from './anchors/claim-name.ts';
import { checkResource, type ResourceEdited, refuseWithoutResource } from './check-resource.ts';
import { writerOf } from './resource-writer.ts';
import type { Dependencies } from './support/dependencies.ts';
import { EngineFaultError, RefusedWithinLimitError, RejectedManifestError } from './support/failures.ts';

export interface AdmitRequest extends WorkflowIdentity {
  readonly manifest: unknown;
  /** The custom resource that the workflow was started for, if it was started for one. */
  readonly resource?: ResourceIdentity;
  /** How long the job has waited for its name, in milliseconds. */
  readonly waitedMs?: number;
  /** The job is stopped already: nothing is created for it. */
  readonly isStopped?: boolean;
}

/** Pods that an ended job of the same name left behind and that still exist. */
export interface NameAwaited {
  readonly waitsFor: readonly StuckPod[];
}

/** What admission settled for the whole life of the job. */
export interface AdmissionTerms {
  readonly anchorUid: string;
  /** The Kubernetes cluster that the job belongs to from now on. */
  readonly clusterId?: string;
  readonly gang: GangProvider;
  /** What must open before pods are created. */
  readonly gate?: GateName;
  readonly settings: AdmissionSettings;
  /** Where people reach the console. */
  readonly consoleUrl?: string;
}

/** The terms, and the first revision of the job. */
export interface Admission extends AdmissionTerms, PlannedRevision {
  /** The first start of a job that begins suspended is attempt 1. */
  readonly countsStarts?: true;
  /** Who wrote the custom resource, as the API server knew them. The ledger reads it from the history. */
  readonly requester?: string;
  /** When the custom resource was created, in epoch milliseconds. */
  readonly createdAt?: number;
}

/** Validates a manifest, fills in defaults, chooses the gang scheduler and claims the name. Idempotent by claim. */
export async function admit(
  dependencies: Dependencies,
  request: AdmitRequest,
): Promise<Admission | NameAwaited | ResourceEdited> {
  const { manifest, resource, waitedMs, ...identity } = request;
  const references = await referencesFor(dependencies, manifest);
  const parsed = parseGiven(withReferences(manifest, references), { ...dependencies, resource });
  refuseUnlessServed(parsed, dependencies);
  const checked = resource && (await checkResource(dependencies, { resource, manifest, job: parsed }));
  if (checked && 'edited' in checked) return checked;
  const found = checked?.found;
  if (!found) refuseWithoutResource(dependencies, parsed);
  const requester = found && writerOf(dependencies, found);
  const lane = await admittedLane(dependencies, parsed);
  const { consoleUrl } = dependencies;
  const { job, ...chosen } = await withGang(dependencies, parsed, { lane, references });
  const clusterId = await dependencies.clusterId();
  const { revision } = dependencies.jobs.add(job);
  const wanted = { job, gang: chosen.gang, waitedMs };
  const claim = await claimName(dependencies, wanted, { ...identity, clusterId }).catch(withLimitOf(job));
  if ('waitsFor' in claim) return claim;
  const counts = job.plan.runPolicy.suspend ? { countsStarts: true as const } : {};
  const admission = { ...chosen, ...claim, ...counts, plan: job.plan, revision, clusterId };
  const createdAt = Date.parse(found?.metadata.creationTimestamp ?? '');
  return {
    ...admission,
    ...(requester === undefined ? {} : { requester }),
    ...(consoleUrl === undefined ? {} : { consoleUrl }),
    ...(lane === undefined || Number.isNaN(createdAt) ? {} : { createdAt }),
  };
}

/** Reads what the manifest names and does not bring along: a job may be started with nothing but Temporal's own tools. */
async function referencesFor({ cluster, namespace }: Dependencies, manifest: unknown) {
  const missing = unreadReferences(manifest);
  const own = valueAt(manifest, 'metadata.namespace');
  return missing.length === 0
    ? []
    : readNamedObjects(cluster, missing, typeof own === 'string' ? own : namespace);
}

/** Adds the policy's limit to a refusal: the workflow does not know the policy yet. */
const withLimitOf =
  ({ plan: { policy = DEFAULT_POLICY } }: TrainingJob) =>
  (error: unknown): never => {
    const { refusals } = policy;
    throw error instanceof ApiError ? new RefusedWithinLimitError(error, refusals.failAfterMs) : error;
  };

/** A manifest that crashes the parser would crash it on each retry, so the job fails instead of hanging. */
function parseGiven(
  manifest: unknown,
  {
    namespace,
    conventions,
    resource,
  }: Pick<Dependencies, 'namespace' | 'conventions'> & Pick<AdmitRequest, 'resource'>,
): TrainingJob {
  let parsed: ParsedManifest;
  try {
    parsed = parseManifest(manifest, { namespace, conventions, resource });
  } catch (error) {
    throw new EngineFaultError('the manifest could not be read', { cause: error });
  }
  if ('faults' in parsed) throw new RejectedManifestError(parsed.faults);
  return parsed.job;
}

/** Without this the API server would refuse: the job would wait for a permission that nobody means to give. */
function refuseUnlessServed({ namespace }: TrainingJob, { namespaces }: Dependencies): void {
  if (isServed(namespaces, namespace)) return;
  const expected = `a namespace that this installation serves (${namespaces?.join(', ')})`;
  throw new RejectedManifestError([{ path: 'metadata.namespace', expected, got: JSON.stringify(namespace) }]);
}

interface Chosen extends Pick<Admission, 'gang' | 'gate' | 'settings'> {
  readonly job: TrainingJob;
}

/** Chooses the gang scheduler. */
async function withGang(
  { cluster, gang: configured, coschedulingName, onHang = 'tell' }: Dependencies,
  parsed: TrainingJob,
  { lane, references }: Pick<AdmissionSettings, 'lane' | 'references'>,
): Promise<Chosen> {
  const serves = async (provider: GangProvider) => {
    const { resource } = GANG_ADAPTERS[provider];
    return resource === undefined || cluster.serves(resource);
  };
  const named = {
    ...parsed,
    gang: { ...parsed.gang, schedulerName: coschedulingName },
  };
  const chosen = await chooseGang(named, { configured, serves });
  if ('faults' in chosen) throw new RejectedManifestError(chosen.faults);
  const { provider, warnings: gangWarnings } = chosen;
  const { namespace, conventions, resource } = parsed;
  refuseTwoQueues(provider, lane);
  const settings = {
    ...{ namespace, conventions, schedulerName: coschedulingName, gangWarnings },
    ...(lane === undefined ? {} : { lane }),
    ...(onHang === 'tell' ? {} : { onHang }),
    ...(resource ? { resource } : {}),
    ...(references?.length ? { references } : {}),
  };
  return {
    job: asRevision(parsed, settings, 1),
    gang: provider,
    gate: gateOf(provider, lane),
    settings,
  };
}

const gateOf = (provider: GangProvider, lane: string | undefined): GateName | undefined => {
  if (lane !== undefined) return 'lane';
  return GANG_ADAPTERS[provider].holdsPods && 'group';
};

/** Two queues over the same nodes hand out the same room twice. */
function refuseTwoQueues(provider: GangProvider, lane: string | undefined): void {
  if (lane === undefined || !GANG_ADAPTERS[provider].holdsPods) return;
  const expected = `a gang scheduler without a queue of its own, because the job waits in lane ${lane}: native, coscheduling, gated, gated-native or none`;
  throw new RejectedManifestError([
    { path: `metadata.annotations[${ANNOTATIONS.gang}]`, expected, got: provider },
  ]);
}
