import { stringify } from 'yaml';
import type { Fault } from '../../contracts/faults.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { rolePath, totalReplicas } from '../framework.ts';
import { didYouMean, nearest } from '../manifest/did-you-mean.ts';
import { describe } from '../manifest/faults.ts';
import { type ParsedManifest, parseManifest } from '../manifest/parse-manifest.ts';
import { frameworkOf } from '../registry.ts';
import { isMapping, type PolicyDocument, readPolicyDocument } from './document.ts';

/** Changes to a running job. */
export interface Amendment {
  /** New sizes by role name, in any case. */
  readonly replicas?: Readonly<Record<string, number>>;
  /** Part of a policy document, merged into the present one (RFC 7396). */
  readonly policy?: PolicyDocument;
}

/**
 * Returns the job with the changes, or the faults that prevent them. `manifest` is the submitted one; the job holds the
 * results of earlier amendments.
 */
export function amendJob(job: TrainingJob, manifest: unknown, amendment: Amendment): ParsedManifest {
  const { namespace, conventions } = job;
  const present = presentManifest(job, manifest);
  const before = parseManifest(present, { namespace, conventions });
  if ('faults' in before) return before;
  const misfits = checkSizes(job, amendment);
  if (misfits.length) return { faults: misfits, warnings: [] };
  const after = parseManifest(amendManifest(present, amendment), { namespace, conventions });
  if ('faults' in after) return after;
  const faults = checkGang(before.job, after.job);
  return faults.length ? { faults, warnings: [] } : { job: withGangOf(job, before.job, after.job) };
}

/** Returns the manifest with the changes, in the spelling of its kind. Ignores roles that it does not have. */
export function amendManifest(manifest: unknown, { replicas = {}, policy }: Amendment): unknown {
  const resized = withReplicas(manifest, replicas);
  if (!policy) return resized;
  const text = policyTextOf(resized);
  const read = text === undefined ? { document: {} } : readPolicyDocument(text);
  const document = merge('document' in read ? read.document : {}, policy);
  return withPolicy(resized, stringify(document, { version: '1.1', lineWidth: 0 }));
}

function presentManifest(job: TrainingJob, manifest: unknown): unknown {
  const sizes = Object.fromEntries(job.roles.map(({ name, replicas }) => [name, replicas]));
  const resized = withReplicas(manifest, sizes);
  const text = job.annotations[ANNOTATIONS.policy];
  return text === undefined ? resized : withPolicy(resized, text);
}

function withReplicas(manifest: unknown, replicas: Readonly<Record<string, number>>): unknown {
  const { spec, ...others } = manifest as Manifest;
  const { replicaSpecs } = frameworkOf(manifest as Manifest);
  const roles = replicaSpecs ? (spec[replicaSpecs] as Fields) : spec;
  const resized = { ...roles, ...resizedRoles(roles, replicas) };
  return { ...others, spec: replicaSpecs ? { ...spec, [replicaSpecs]: resized } : resized };
}

function resizedRoles(roles: Fields, replicas: Readonly<Record<string, number>>): Fields {
  const sizes = new Map(Object.entries(replicas).map(([name, size]) => [name.toLowerCase(), size]));
  const resized = Object.entries(roles).filter(([key]) => sizes.has(key.toLowerCase()));
  return Object.fromEntries(
    resized.map(([key, role]) => [key, { ...(role as Fields), replicas: sizes.get(key.toLowerCase()) }]),
  );
}

function withPolicy(manifest: unknown, text: string): unknown {
  const { metadata, ...others } = manifest as Manifest;
  const annotations = { ...metadata.annotations, [ANNOTATIONS.policy]: text };
  return { ...others, metadata: { ...metadata, annotations } };
}

const policyTextOf = (manifest: unknown) =>
  (manifest as Manifest).metadata.annotations?.[ANNOTATIONS.policy] ?? undefined;

/** RFC 7396: merges mappings, removes nulls, replaces all else. */
function merge(target: unknown, patch: PolicyDocument): PolicyDocument {
  const kept = isMapping(target) ? target : {};
  const named = Object.entries(patch).filter(([, value]) => value !== null);
  const merged = named.map(([key, value]) => [key, isMapping(value) ? merge(kept[key], value) : value]);
  const others = Object.entries(kept).filter(([key]) => !Object.hasOwn(patch, key));
  return Object.fromEntries([...others, ...merged]);
}

/** Checks what the manifest alone does not show: roles that the job lacks, and size limits of a running job. */
function checkSizes(job: TrainingJob, { replicas = {} }: Amendment): Fault[] {
  const names = job.roles.map(({ name }) => name);
  return Object.entries(replicas).flatMap(([given, size]) => {
    const role = job.plan.roles.find(({ name }) => name.toLowerCase() === given.toLowerCase());
    const path = rolePath(job.plan, role?.name ?? given);
    if (!role) {
      const meant = didYouMean(nearest(given, names));
      const expected = `a role of the job: ${names.join(', ')}${meant && ` (${meant})`}`;
      return [{ path, expected, got: describe(given) }];
    }
    const { min, max = Number.POSITIVE_INFINITY } = role.scales ?? { min: 0 };
    if (size >= min && size <= max) return [];
    const expected =
      max === Number.POSITIVE_INFINITY ? `an integer >= ${min}` : `an integer from ${min} to ${max}`;
    return [{ path: `${path}.replicas`, expected, got: `${size}` }];
  });
}

/** A gang larger than the number of pods is never complete. A submission is only warned; an amendment is rejected. */
function checkGang(before: TrainingJob, { gang, roles }: TrainingJob): Fault[] {
  const members = totalReplicas(roles);
  if (gang.minMember <= members || before.gang.minMember > totalReplicas(before.roles)) return [];
  const expected = `at least ${gang.minMember} pods, as the gang must be placed together (minAvailable)`;
  return [{ path: rolePath(before.plan), expected, got: `${members}` }];
}

/** Keeps the scheduler that was chosen at admission, and the warnings about that choice. */
function withGangOf(job: TrainingJob, before: TrainingJob, after: TrainingJob): TrainingJob {
  const ofGang = job.warnings.filter((warning) => !before.warnings.includes(warning));
  return {
    ...after,
    gang: { ...after.gang, schedulerName: job.gang.schedulerName },
    warnings: [...after.warnings, ...ofGang],
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** A manifest that has been parsed before. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> | null };
  readonly spec: Fields;
}
