import type { TrainingJob } from '../contracts/training-job.ts';
import type { ParsedManifest } from '../frameworks/manifest/parse-manifest.ts';
import { type Amendment, amendJob } from '../frameworks/policy/amend.ts';
import type { Dependencies } from './support/dependencies.ts';
import { EngineFaultError, RejectedManifestError } from './support/failures.ts';

export interface AmendActivityRequest extends Amendment {
  /** The manifest as submitted. */
  readonly manifest: unknown;
  /** The job before the amendment. */
  readonly job: TrainingJob;
}

/** Returns the job with other sizes or another policy; throws all faults. Idempotent: it writes nothing. */
export async function amend(
  _dependencies: Dependencies,
  request: AmendActivityRequest,
): Promise<TrainingJob> {
  const amended = read(request);
  if ('faults' in amended) throw new RejectedManifestError(amended.faults);
  return amended.job;
}

/** As for a submitted manifest: an error of the parser would recur on each retry. */
function read({ job, manifest, ...amendment }: AmendActivityRequest): ParsedManifest {
  try {
    return amendJob(job, manifest, amendment);
  } catch (error) {
    throw new EngineFaultError('the amended manifest could not be read', { cause: error });
  }
}
