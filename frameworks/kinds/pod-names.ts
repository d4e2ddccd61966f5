import { podNameOf } from '../../contracts/labels.ts';
import { findFramework } from '../registry.ts';

export interface NamedJob {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** The name of a pod, and the replica that its labels name; the role is in lower case. */
export interface LabelledPod {
  readonly name: string;
  readonly role: string;
  readonly index: number;
}

/**
 * Returns whether a pod has the name of the replica that its labels name. A user who copies a pod to debug it changes
 * the name but keeps labels and owner; such a pod is not a replica, however it ends.
 */
export const isReplica = ({ name, ...kind }: NamedJob, pod: LabelledPod): boolean =>
  pod.name === (findFramework(kind.apiVersion, kind.kind)?.podName ?? podNameOf)(name, pod.role, pod.index);
