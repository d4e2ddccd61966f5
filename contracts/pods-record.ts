/**
 * What ran in an attempt: its pods, where, and which images. Read from the pods just before they are deleted, and at the
 * job's end; kept in the evidence store and in the archive. Times are RFC 3339.
 *
 * @public
 */
export interface PodsRecord {
  readonly schema: 'signalbox.dev/pods/v1';
  readonly job: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly anchorUid: string;
  readonly attempt: number;
  readonly takenAt: string;
  readonly pods: readonly RecordedPod[];
}

/** @public */
export interface RecordedPod {
  readonly pod: string;
  readonly uid: string;
  /** In lower case. */
  readonly role: string;
  readonly index: number;
  readonly attempt: number;
  readonly node?: string;
  readonly phase: string;
  readonly createdAt: string;
  readonly scheduledAt?: string;
  readonly startedAt?: string;
  readonly readyAt?: string;
  /** When its last container ended. */
  readonly endedAt?: string;
  readonly containers: readonly RecordedContainer[];
}

/** @public */
export interface RecordedContainer {
  readonly name: string;
  readonly isInit?: boolean;
  /** As in the manifest. */
  readonly image: string;
  /** As the kubelet reports what it ran, e.g. `registry.example/train@sha256:...`; absent if it never started. */
  readonly imageID?: string;
  readonly restarts: number;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly exitCode?: number;
  readonly reason?: string;
}
