import type { JobResource } from '../../contracts/job-resources.ts';
import { isFields } from '../../language/fields.ts';
import { findFramework } from '../kinds/registry.ts';

/** The field by which an MPIJob of v2beta1 shows what it is: its definition fills it in, and only v2beta1 has that default. */
const OF_V2 = 'mpiImplementation';

/** Returns the version that a resource was written in, whichever it is read in: the API server keeps only the fields. */
export function writtenVersionOf({ apiVersion, kind, spec }: JobResource): string {
  const [group] = apiVersion.split('/');
  const v2 = `${group}/v2beta1`;
  if (!findFramework(v2, kind)) return apiVersion;
  return isFields(spec) && OF_V2 in spec ? v2 : `${group}/v1`;
}
