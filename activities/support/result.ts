import type { EvidenceSummary } from '../../contracts/evidence.ts';
import type { LeftPod } from '../../contracts/left-pod.ts';

export interface EffectResult {
  /** Resource version up to which a digest must have read to know what was done. */
  readonly revision: number;
  /** Of failed pods that were looked at, or deleted; at most 20. */
  readonly evidence?: readonly EvidenceSummary[];
  /** Pods that were told to end and are still there; at most 20, by name. */
  readonly left?: readonly LeftPod[];
  /** Why something could not be deleted. */
  readonly refused?: string;
}
