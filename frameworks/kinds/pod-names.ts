import { podNameOf } from '../../contracts/labels.ts';
import { findFramework } from '../registry.ts';

export interface NamedJob {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** What a pod is called, and which replica its labels say that it is; the role in lower case. */
export interface LabelledPod {
  readonly name: string;
  readonly role: string;
  readonly index: number;
}

/**
 * Whether a pod has the name of the replica whose labels it has. Somebody who copies a pod to look into something gives
 * it another name, and leaves its labels and its owner: that is no replica, whatever becomes of it.
 */
export const isReplica = ({ name, ...kind }: NamedJob, pod: LabelledPod): boolean =>
  pod.name === (findFramework(kind.apiVersion, kind.kind)?.podName ?? podNameOf)(name, pod.role, pod.index);
