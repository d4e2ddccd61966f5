/**
 * What ran in an attempt: its pods, where, and which images. Read from the pods just before they are deleted, and at the
 * job's end; kept in the evidence store and in the archive. Times are RFC 3339.
 *
 * @public
 */
export interface PodsRecord {
  /** The version of the form. A reader refuses a later one. */
  readonly schema: 'signalbox.dev/pods/v1';
  readonly job: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** Identifies the run of the job. */
  readonly anchorUid: string;
  readonly attempt: number;
  /** When the pods were read. */
  readonly takenAt: string;
  readonly pods: readonly RecordedPod[];
}

/**
 * A pod as it was just before its deletion, or at the job's end.
 *
 * @public
 */
export interface RecordedPod {
  readonly pod: string;
  readonly uid: string;
  /** In lower case. */
  readonly role: string;
  readonly index: number;
  readonly attempt: number;
  readonly node?: string;
  /** The GPUs that it requests, by resource, e.g. `{"nvidia.com/gpu": 8}`; absent if it requests none. */
  readonly gpus?: Readonly<Record<string, number>>;
  /** What the GPUs of its node are, by the label `nvidia.com/gpu.product`; absent if that is not known. */
  readonly gpuProduct?: string;
  readonly phase: string;
  /** Why the whole pod is in this phase, e.g. `Evicted`. */
  readonly reason?: string;
  readonly createdAt: string;
  readonly scheduledAt?: string;
  /** When the kubelet accepted it. */
  readonly startedAt?: string;
  /** Since when it was ready; absent if it no longer was. */
  readonly readyAt?: string;
  /** When its last container ended; absent if one still ran. */
  readonly endedAt?: string;
  /** When its deletion was requested; absent if it was kept. A pod that still ran then ended soon after. */
  readonly deletedAt?: string;
  readonly containers: readonly RecordedContainer[];
}

/**
 * A container of a pod: what it should run, and what the kubelet says that it ran.
 *
 * @public
 */
export interface RecordedContainer {
  readonly name: string;
  readonly isInit?: boolean;
  /** It was added to the running pod, e.g. by `kubectl debug`. */
  readonly isEphemeral?: boolean;
  /** As in the pod's spec. */
  readonly image: string;
  /** As the kubelet reports what it ran, e.g. `registry.example/train@sha256:...`; absent if it never started. */
  readonly imageID?: string;
  readonly restarts: number;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly exitCode?: number;
  /** As Kubernetes reports it, e.g. `OOMKilled`, or why it waits. */
  readonly reason?: string;
}
