import type { KubeObject } from './kubernetes.ts';

/** A PersistentVolumeClaim with what it depends on. `unknown`: it may not be read; undefined: it does not exist. */
export interface ClaimObjects {
  readonly claim: KubeObject | 'unknown' | undefined;
  /** Of a claim that is bound. */
  readonly volume?: KubeObject | 'unknown' | undefined;
  /** Of a claim that is still to be bound. */
  readonly storageClass?: KubeObject | 'unknown' | undefined;
  /** All PersistentVolumes, of a claim that is bound with its first pod; absent if they may not be listed. */
  readonly volumes?: readonly KubeObject[] | undefined;
  /** Of a claim that is bound with its first pod: the CSIDriver that makes its volume, if it is one that says so. */
  readonly driver?: KubeObject | 'unknown' | undefined;
}
