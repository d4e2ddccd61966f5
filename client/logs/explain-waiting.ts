import type { Pod } from '../../contracts/kubernetes.ts';
import { containersOf } from '../../contracts/pod.ts';

/** Returns what a pod that has not started waits for: a sentence, then the message of Kubernetes. */
export function explainWaiting(pod: Pod): string {
  const waiting = containersOf(pod).find(({ state }) => state?.waiting)?.state?.waiting;
  if (waiting && pod.spec.nodeName) {
    const { reason = 'unknown', message } = waiting;
    const what = CONTAINER_SENTENCES[reason] ?? `its container waits with ${reason}`;
    return `${what}${message ? ` (${reason}: ${message})` : ''}`;
  }
  if (pod.spec.nodeName) return 'its node is preparing it';
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const said = (scheduled?.message ?? scheduled?.reason)?.replace(/\.$/, '');
  return `it has no node yet${said ? ` (${said})` : ''}`;
}

const CONTAINER_SENTENCES: Readonly<Record<string, string>> = {
  ContainerCreating: 'its node is preparing it',
  PodInitializing: 'its init containers run',
  ErrImagePull: 'its image cannot be pulled',
  ImagePullBackOff: 'its image cannot be pulled',
  InvalidImageName: 'the name of its image is invalid',
  CreateContainerConfigError: 'something that its container refers to does not exist',
};
