import type { Container, ContainerStatus, KubeObject, ObjectMeta, Pod } from '../../contracts/kubernetes.ts';
import { indexOf } from '../../contracts/pod.ts';
import { truncate } from '../../language/shorten.ts';

/** Where the program in a pod can report progress. */
export interface PodReport {
  /** By key, with truncated values. Empty values are left out. */
  readonly annotations: Readonly<Record<string, Annotation>>;
  /** Containers that have started; before that there is no log. */
  readonly started: readonly Container['name'][];
}

interface Annotation {
  readonly value: string;
  /** When it was written, in epoch milliseconds with a precision of one second. */
  readonly at: number;
}

const VALUE_LENGTH = 256;

/** Returns undefined unless the pod is the first of its role: only the anchor names the role that reports. */
export function podReport({ metadata, status }: Pod): PodReport | undefined {
  if (!mayReport(metadata)) return undefined;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([, value]) => value !== '');
  return {
    annotations: Object.fromEntries(
      annotations.map(([key, value]) => [
        key,
        { value: truncate(value, VALUE_LENGTH), at: writtenAt(metadata, key) },
      ]),
    ),
    started: (status?.containerStatuses ?? []).filter(hasStarted).map(({ name }) => name),
  };
}

/** Keeps only the metadata that `podReport` reads. */
export function trimReportMetadata(metadata: ObjectMeta): Partial<ManagedMeta> {
  if (!mayReport(metadata)) return { annotations: undefined, managedFields: undefined };
  const { managedFields } = metadata as ManagedMeta;
  return { managedFields: managedFields?.filter(({ fieldsV1 }) => fieldsV1?.['f:metadata']) };
}

const mayReport = (metadata: KubeObject['metadata']) => indexOf({ metadata }) === 0;

const hasStarted = ({ state, lastState }: ContainerStatus) =>
  Boolean(state?.running ?? state?.terminated ?? lastState?.terminated);

/** The API server records who set which fields, and when. */
interface ManagedMeta extends ObjectMeta {
  readonly managedFields?: readonly {
    readonly time?: string;
    readonly fieldsV1?: {
      readonly 'f:metadata'?: { readonly 'f:annotations'?: Readonly<Record<string, unknown>> };
    };
  }[];
}

function writtenAt(metadata: ManagedMeta, key: string): number {
  const times = (metadata.managedFields ?? [])
    .filter(({ fieldsV1 }) => fieldsV1?.['f:metadata']?.['f:annotations']?.[`f:${key}`])
    .map(({ time }) => Date.parse(time ?? ''));
  return Math.max(...times.filter(Number.isFinite), Date.parse(metadata.creationTimestamp ?? '') || 0);
}
