import { type JobResource, jobResourceOf } from '../contracts/job-resources.ts';
import { apiGroupOf, type Resource } from '../contracts/kubernetes.ts';
import { FRAMEWORKS } from '../frameworks/kinds/registry.ts';

type Versions = readonly [Resource<JobResource>, ...Resource<JobResource>[]];

const groupAndPlural = ({ apiVersion, plural }: Resource) => `${apiGroupOf(apiVersion)} ${plural}`;

/** The kinds of jobs, each with its versions, which have the same objects. */
export const KINDS_WITH_VERSIONS = [
  ...Map.groupBy(FRAMEWORKS.map(jobResourceOf), groupAndPlural).values(),
] as unknown as readonly Versions[];
