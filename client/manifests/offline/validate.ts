import type { NamedObject } from '../../../contracts/references.ts';
import type { JobConfiguration } from '../../../contracts/settings.ts';
import { DEFAULT_CONVENTIONS, type TrainingJob } from '../../../contracts/training-job.ts';
import type { Fault } from '../../../contracts/types.ts';
import { parseManifest } from '../../../frameworks/manifest/parse-manifest.ts';
import { looksLikeJob } from '../../../frameworks/manifest/recognise.ts';
import { unreadReferences, withShipped } from '../../../frameworks/manifest/references.ts';
import { hasGeneratedName, withExampleName } from '../generated-name.ts';

/**
 * How to read a manifest.
 *
 * @public
 */
export interface ManifestOptions {
  /** Namespace of jobs whose manifest has none; default: `default`. */
  readonly namespace?: string;
  /** Unknown fields are faults, as for `kubectl apply`; with `false` they are warnings. Default: true. */
  readonly strict?: boolean;
  /**
   * The caller asks an API server about the pods of a valid job, which decides what unknown fields of these are.
   *
   * @internal
   */
  readonly podsAreTried?: boolean;
  /**
   * What the manifest names and does not bring along does not exist anywhere; default: a cluster may have it.
   *
   * @internal
   */
  readonly isComplete?: boolean;
  /** The configuration of the workers, where it is not the default. */
  readonly configuration?: Partial<JobConfiguration>;
}

/**
 * What is wrong with a manifest.
 *
 * @public
 */
export interface Validation {
  /** What must be changed; empty if the job can be submitted. */
  readonly faults: readonly Fault[];
  /** Valid input that may not be what the user meant. */
  readonly warnings: readonly string[];
  /**
   * The job with defaults filled in; undefined if there are faults, or if something that the manifest names is not here.
   *
   * @internal
   */
  readonly job: TrainingJob | undefined;
}

/**
 * Validates a manifest: reports all faults at once, each with its path. Needs no server.
 *
 * @example
 * ```ts
 * const { faults, warnings } = validateManifest(manifest, { namespace: 'ml' });
 * for (const { path, expected, got } of faults) console.error(`${path}: expected ${expected}, got ${got}`);
 * ```
 *
 * @public
 */
export function validateManifest(manifest: unknown, options: ManifestOptions = {}): Validation {
  const { namespace = 'default', configuration = {}, strict = true, podsAreTried, isComplete } = options;
  const { conventions = DEFAULT_CONVENTIONS } = configuration;
  const whole = withShipped(withExampleName(manifest));
  const missing = isComplete ? [] : unreadReferences(whole);
  if (missing.length > 0) return { faults: [], warnings: missing.map(unchecked), job: undefined };
  const parsed = parseManifest(whole, { namespace, conventions, strict, podsAreTried });
  if ('faults' in parsed) {
    const faults = hasGeneratedName(manifest) ? parsed.faults.map(ofGenerateName) : parsed.faults;
    return { ...parsed, faults, job: undefined };
  }
  return { faults: [], warnings: parsed.job.warnings, job: parsed.job };
}

const unchecked = ({ kind, name, path }: NamedObject) =>
  `${path}: the job was not checked, because ${kind} ${name} is not here; give it in a file beside the job, or ask the cluster that has it`;

const ofGenerateName = (fault: Fault): Fault =>
  fault.path === 'metadata.name' ? { ...fault, path: 'metadata.generateName' } : fault;

/**
 * Returns whether a document is a job, possibly with faults, rather than another object kept in the same file.
 *
 * @public
 */
export const isJobManifest = (document: unknown): boolean => looksLikeJob(document);
