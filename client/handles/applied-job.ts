import type { Applied } from '../use-cases/apply/apply-options.ts';
import type { JobHandle } from './job-handle.ts';

/**
 * A job that is as its manifest says, or, with `dryRun`, that would be.
 *
 * @public
 */
export interface AppliedJob extends Applied {
  readonly job: JobHandle;
}
