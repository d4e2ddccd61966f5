import type { EvidenceSummary } from '../../contracts/evidence.ts';
import type { StuckPod } from '../../contracts/stuck-pod.ts';

export interface EffectResult {
  /** Resource version that a digest must have reached to include the changes. */
  readonly resourceVersion: number;
  /** Evidence of failed pods that were examined or deleted; at most 20. */
  readonly evidence?: readonly EvidenceSummary[];
  /** Pods that were asked to stop and still exist; at most 20, by name. */
  readonly stuckPods?: readonly StuckPod[];
  /** Why something could not be deleted. */
  readonly refused?: string;
  /** What was restored: the job on the anchor, or labels of its objects. */
  readonly restored?: string;
  /** What the API server warned of when it created objects: each once; at most 10, of at most 500 characters. */
  readonly warnings?: readonly string[];
  /** The turn of the gated gang was over: no gate was lifted. */
  readonly isTurnOver?: boolean;
  /** The gated gang has its nodes: nothing was deleted. */
  readonly isPlaced?: boolean;
  /** The attempt is not admitted any more: some of its pods were not created. */
  readonly isUnadmitted?: boolean;
  /** When the clean-up wrote the record that it was given, in epoch milliseconds. */
  readonly recordedAt?: number;
}
