import type { Digest } from '../../contracts/digest.ts';
import type { JobContext } from '../model/job-context.ts';

/** Returns the Services that are missing, unless they were asked for already or the job is to have none. */
export function servicesToRestore(
  { servicesRestored = 0, suspension }: Pick<JobContext, 'servicesRestored' | 'suspension'>,
  digest: Digest | undefined,
): readonly string[] {
  const missing = digest?.missingServices;
  return !missing || suspension || missing.at <= servicesRestored ? [] : missing.names;
}
