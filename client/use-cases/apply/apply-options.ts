import type { ManifestChange } from '../../../contracts/differences/manifest-change.ts';
import type { FinalPhase } from '../../../contracts/status.ts';
import type { CleanUpOptions } from '../../servers/client-settings.ts';

/**
 * How a manifest is applied.
 *
 * @public
 */
export interface ApplyOptions extends CleanUpOptions {
  /** Why; recorded with the job, or with each of its changes. */
  readonly why?: string;
  /** Namespace of a job whose manifest has none. */
  readonly namespace?: string;
  /** Refuse unknown fields before anything is started or changed; default: true. */
  readonly strict?: boolean;
  /** Says what would be done, and does nothing. */
  readonly dryRun?: boolean;
}

/**
 * What applying a manifest did: it started a job, or changed the live one, or the job was as the manifest says. An ended job
 * with this manifest is `unchanged`, however it ended.
 *
 * @public
 */
export type ApplyResult = 'started' | 'changed' | 'unchanged';

/**
 * What applying a manifest did, or, with `dryRun`, would do.
 *
 * @public
 */
export interface Applied {
  readonly result: ApplyResult;
  /** What was changed in the live job. */
  readonly changes: readonly ManifestChange[];
  /** What is different in the manifest but stays in the live job: labels. */
  readonly kept: readonly ManifestChange[];
  /** How the job has ended, if it is unchanged because it has ended with this manifest. */
  readonly ended?: FinalPhase;
}
