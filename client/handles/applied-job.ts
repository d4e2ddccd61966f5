import type { FinalPhase } from '../../contracts/status.ts';
import type { ApplyResult, ManifestChange } from '../use-cases/apply/apply-options.ts';
import type { JobHandle } from './job-handle.ts';

/**
 * A job that is as its manifest says, or, with `dryRun`, that would be.
 *
 * @public
 */
export interface AppliedJob {
  readonly job: JobHandle;
  readonly result: ApplyResult;
  /** What was changed in the live job. */
  readonly changes: readonly ManifestChange[];
  /** What is different in the manifest but stays in the live job: labels. */
  readonly kept: readonly ManifestChange[];
  /** How the job has ended, if it is unchanged because it has ended with this manifest. */
  readonly ended?: FinalPhase;
}
