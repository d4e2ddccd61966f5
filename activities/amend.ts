import type { TrainingJob } from '../contracts/training-job.ts';
import type { ParsedManifest } from '../frameworks/manifest/parse-manifest.ts';
import { type Amendment, amendJob } from '../frameworks/policy/amend.ts';
import type { Dependencies } from './support/dependencies.ts';
import { EngineFaultError, RejectedManifestError } from './support/failures.ts';

export interface AmendActivityRequest extends Amendment {
  /** As it was submitted. */
  readonly manifest: unknown;
  /** As it is now. */
  readonly job: TrainingJob;
}

/** The job with other sizes, or another policy; every fault if it cannot be so. Idempotent: it writes nothing. */
export async function amend(
  _dependencies: Dependencies,
  request: AmendActivityRequest,
): Promise<TrainingJob> {
  const amended = read(request);
  if ('faults' in amended) throw new RejectedManifestError(amended.faults);
  return amended.job;
}

/** As with a manifest that is submitted: what trips the parser would do so at every try. */
function read({ job, manifest, ...amendment }: AmendActivityRequest): ParsedManifest {
  try {
    return amendJob(job, manifest, amendment);
  } catch (error) {
    throw new EngineFaultError('the amended manifest could not be read', { cause: error });
  }
}
