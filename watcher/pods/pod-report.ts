import type { Container, ContainerStatus, KubeObject, ObjectMeta, Pod } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';

/** How the program in a pod can make itself heard. */
export interface PodReport {
  /** By key; values are cut. Empty ones say nothing. */
  readonly annotations: Readonly<Record<string, Annotation>>;
  /** Containers that have started: before that there is no log. */
  readonly started: readonly Container['name'][];
}

export interface Annotation {
  readonly value: string;
  /** When it was written, in epoch milliseconds; to the second. */
  readonly at: number;
}

const VALUE_LENGTH = 256;

/** Of the first pod of a role; no other speaks for its job. Which role that is, only the anchor tells. */
export function podReport({ metadata, status }: Pod): PodReport | undefined {
  if (!mayReport(metadata)) return undefined;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([, value]) => value !== '');
  return {
    annotations: Object.fromEntries(
      annotations.map(([key, value]) => [
        key,
        { value: value.slice(0, VALUE_LENGTH), at: writtenAt(metadata, key) },
      ]),
    ),
    started: (status?.containerStatuses ?? []).filter(hasStarted).map(({ name }) => name),
  };
}

/** Of a pod's metadata, what `podReport` reads. */
export function trimReportMetadata(metadata: ObjectMeta): Partial<ManagedMeta> {
  if (!mayReport(metadata)) return { annotations: undefined, managedFields: undefined };
  const { managedFields } = metadata as ManagedMeta;
  return { managedFields: managedFields?.filter(({ fieldsV1 }) => fieldsV1?.['f:metadata']) };
}

const mayReport = ({ labels }: KubeObject['metadata']) => labels?.[LABELS.index] === '0';

const hasStarted = ({ state, lastState }: ContainerStatus) =>
  Boolean(state?.running ?? state?.terminated ?? lastState?.terminated);

/** The API server notes who set which fields, and when. */
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
