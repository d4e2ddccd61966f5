import type { Fault } from '../../contracts/faults.ts';
import type { JobSettings } from '../../contracts/settings.ts';
import { DEFAULT_CONVENTIONS, type TrainingJob } from '../../contracts/training-job.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';
import { isMeantAsJob } from '../../frameworks/manifest/recognise.ts';

/** How a manifest is read. */
export interface ManifestOptions {
  /** Of jobs whose manifest names none; `default` unless given. */
  readonly namespace?: string;
  /** Fields of the job that nobody reads are faults; warnings otherwise. */
  readonly strict?: boolean;
  /** What the workers are configured for, where it is not the default. */
  readonly configuration?: Partial<JobSettings>;
}

export interface Validation {
  /** What has to be changed; none if the job can be submitted. */
  readonly faults: readonly Fault[];
  /** What was accepted but may not be what was meant. */
  readonly warnings: readonly string[];
  /** As it would run, with defaults filled in; undefined if there are faults. */
  readonly job: TrainingJob | undefined;
}

/**
 * Whether a manifest is a job that signalbox runs: all its faults at once, each by its path. Asks no server.
 *
 * @example
 * const { faults, warnings } = validateManifest(manifest, { strict: true });
 * for (const { path, expected, got } of faults) console.error(`${path}: expected ${expected}, got ${got}`);
 */
export function validateManifest(manifest: unknown, options: ManifestOptions = {}): Validation {
  const { namespace = 'default', strict, configuration = {} } = options;
  const { conventions = DEFAULT_CONVENTIONS } = configuration;
  const parsed = parseManifest(manifest, { namespace, conventions, strict });
  if ('faults' in parsed) return { ...parsed, job: undefined };
  return { faults: [], warnings: parsed.job.warnings, job: parsed.job };
}

/** Whether a document is a job, be it one with faults, and not something else that is kept in the same file. */
export const isJobManifest = (document: unknown): boolean => isMeantAsJob(document);
