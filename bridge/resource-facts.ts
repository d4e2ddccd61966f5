import { type JobResource, type JobResourceStatus, jobResourceOf } from '../contracts/job-resources.ts';
import { hashOfAnnotations } from '../contracts/resource-identity.ts';
import { isSuspendedByManifest } from '../contracts/suspended-manifest.ts';
import { FRAMEWORKS, findFramework } from '../frameworks/kinds/registry.ts';
import { writtenVersionOf } from '../frameworks/manifest/written-version.ts';
import { type Fields, isFields, valueAt } from '../language/fields.ts';
import { type Autoscaling, autoscalingOf } from './autoscaling.ts';

/** What the bridge keeps of a custom resource: hardly anything of its spec, which is most of it. */
export interface ResourceFacts {
  /** As it was written in, whichever version it is read in. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  /** Hash of the annotations that decide something: the generation does not count them. */
  readonly annotations: string | undefined;
  readonly isDeleting: boolean;
  /** Another controller runs it: its status is that one's. */
  readonly isForeign: boolean;
  /** Its managedBy names signalbox: no original operator runs it. */
  readonly isOwn: boolean;
  /** Its spec says that the job is to have no pods. */
  readonly isSuspended: boolean;
  /** How it is to be scaled; undefined if it is not elastic. */
  readonly autoscaling: Autoscaling | 'none' | undefined;
  /** Fields of the status that follow from its spec. */
  readonly ofSpec?: Fields;
  readonly status: JobResourceStatus;
}

export function resourceFacts(resource: JobResource): ResourceFacts {
  const { kind, metadata, spec, status } = resource;
  const { resource: customs, dialect } = findFramework(resource.apiVersion, kind) ?? {};
  const managedBy = dialect?.managedBy && valueAt(spec, dialect.managedBy.field);
  return {
    apiVersion: writtenVersionOf(resource),
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid ?? '',
    resourceVersion: metadata.resourceVersion ?? '',
    generation: metadata.generation ?? 1,
    annotations: hashOfAnnotations(metadata.annotations),
    isDeleting: metadata.deletionTimestamp !== undefined,
    isForeign: managedBy !== undefined && !OURS.includes(managedBy),
    isOwn: managedBy !== undefined && managedBy === dialect?.managedBy?.own,
    isSuspended: isSuspendedByManifest(resource),
    autoscaling: autoscalingOf(resource),
    ...(customs ? { ofSpec: customs.ofSpec(spec) } : {}),
    status: isFields(status) ? status : {},
  };
}

/** The operators that signalbox takes the place of, and itself. */
const OURS: readonly unknown[] = FRAMEWORKS.flatMap(({ dialect: { managedBy } }) =>
  managedBy ? [managedBy.operator, managedBy.own] : [],
);

/** The resource of these facts, to read or patch it. */
export const resourceOfFacts = ({ apiVersion, kind }: Pick<ResourceFacts, 'apiVersion' | 'kind'>) =>
  jobResourceOf({ apiVersion, kind });
