import { failedStart } from '../../../contracts/ends.ts';
import type { ContainerStatus, Pod } from '../../../contracts/kubernetes.ts';
import { containersOf, hasPodEnded } from '../../../contracts/pod.ts';
import { phraseOfWait, WAITS } from '../../../contracts/waits.ts';

/** Why a pod has no log of its program. */
interface Unstarted {
  /** A sentence without its full stop, which begins with the pod. */
  readonly sentence: string;
  /** Its program may still begin. */
  readonly mayStart: boolean;
  /** A container that has failed, and has a log. */
  readonly failed?: string;
}

/** Returns why the program of a pod has not begun: it waits, or failed before. */
export function explainUnstarted(pod: Pod): Unstarted {
  const failed = (pod.status?.initContainerStatuses ?? []).find(hasFailed);
  const unstarted = containersOf(pod).find(({ state, lastState }) =>
    failedStart(terminationOf({ state, lastState })),
  );
  const { name } = pod.metadata;
  if (unstarted) {
    const sentence = `${name} could not be started: ${startErrorOf(unstarted)}`;
    return { sentence, mayStart: false };
  }
  if (!hasPodEnded(pod)) {
    const sentence = `${name} has not started yet: ${failed ? `${endOfContainer(failed)}, and is run again` : explainWaiting(pod)}`;
    return { sentence, mayStart: true, ...(failed ? { failed: failed.name } : {}) };
  }
  const { reason, message } = pod.status ?? {};
  const why = failed ? endOfContainer(failed) : [reason, message].filter(Boolean).join(': ');
  const sentence = `${name} failed before its program began${why ? `: ${why.replace(/\.$/, '')}` : ''}`;
  return { sentence, mayStart: false, ...(failed ? { failed: failed.name } : {}) };
}

/** Returns what a pod that has not started waits for: a sentence, then the message of Kubernetes. */
export function explainWaiting(pod: Pod): string {
  if (!pod.spec.nodeName) {
    const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const said = (scheduled?.message ?? scheduled?.reason)?.replace(/\.$/, '');
    return `it has no node yet${said ? ` (${said})` : ''}`;
  }
  const running = (pod.status?.initContainerStatuses ?? []).find(({ name, state }) => {
    return state?.running && !isSidecar(pod, name);
  });
  if (running) return `its init container ${running.name} runs`;
  const waiting = containersOf(pod).find(({ state }) => state?.waiting)?.state?.waiting;
  if (!waiting) return WAITS.ContainerCreating.phrase;
  const { reason = 'unknown', message } = waiting;
  const what = phraseOfWait(reason) ?? `its container waits with ${reason}`;
  return `${what}${message ? ` (${reason}: ${message})` : ''}`;
}

const hasFailed = ({ state, lastState }: ContainerStatus): boolean =>
  (terminationOf({ state, lastState })?.exitCode ?? 0) !== 0;

/** The last run, unless another one is under way. */
const terminationOf = ({ state, lastState }: Pick<ContainerStatus, 'state' | 'lastState'>) =>
  state?.terminated ?? (state?.waiting ? lastState?.terminated : undefined);

function endOfContainer(status: ContainerStatus): string {
  const { exitCode, reason } = terminationOf(status)!;
  const said = reason && reason !== 'Error' ? ` (${reason})` : '';
  return `its init container ${status.name} failed with code ${exitCode}${said}`;
}

function startErrorOf(status: ContainerStatus): string {
  const { reason, message = '' } = terminationOf(status)!;
  return `container ${status.name} ended with ${reason}${message ? `: ${message.replace(/\.$/, '')}` : ''}`;
}

const isSidecar = (pod: Pod, container: string) =>
  (pod.spec.initContainers ?? []).some(
    ({ name, restartPolicy }) => name === container && restartPolicy === 'Always',
  );
