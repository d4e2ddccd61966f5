import type { Container, ContainerStatus, Pod, PodSpec, TerminatedState } from './kubernetes.ts';
import { ATTEMPT_VARIABLE, LABELS } from './labels.ts';
import { conditionOf } from './objects.ts';
import { hasPodEnded, isPodReady } from './pod.ts';

/** What a pod says of its program, which runs in its main container. Other containers only run beside it. */

/** Returns the name of the main container; undefined if the labels name none. */
export const programNameOf = ({ metadata }: Pod): string | undefined =>
  metadata.labels?.[LABELS.mainContainer];

/** Whether the program runs. Other containers and readiness gates do not count, but what the node reports does. */
export function isProgramReady(pod: Pod): boolean {
  const isReady = programOf(pod)?.ready ?? isPodReady(pod);
  return isReady && !isOnSilentNode(pod);
}

/** A program that has ended for good. */
interface ProgramEnd extends TerminatedState {
  readonly container: string;
}

/**
 * Returns how the program ended, if nothing starts it again. A pod that ended as a whole, e.g. by its own deadline, says
 * nothing about its program.
 */
export function programEndOf(pod: Pod): ProgramEnd | undefined {
  const program = programOf(pod);
  const end = program?.state?.terminated;
  if (!end || pod.status?.reason) return undefined;
  const isFinal = hasPodEnded(pod) || isLastRun(pod.spec, program.name, end);
  return isFinal ? { ...end, container: program.name } : undefined;
}

/** Returns the containers that go on in a pod whose program has ended for good. */
export function containersBesideEnd(pod: Pod): readonly string[] {
  if (hasPodEnded(pod) || !programEndOf(pod)) return [];
  return otherContainersOf(pod)
    .filter(({ name, state }) => !state?.terminated || !isLastRun(pod.spec, name, state.terminated))
    .map(({ name }) => name);
}

/** Returns the containers that the program does not run in; without those of the init phase. */
export const otherContainersOf = (pod: Pod): readonly ContainerStatus[] =>
  (pod.status?.containerStatuses ?? []).filter(({ name }) => name !== programNameOf(pod));

/** Whether the pod's result is that of all its containers, as with the original operators. */
export const waitsForSidecars = ({ metadata }: Pod): boolean =>
  metadata.labels?.[LABELS.waitsForSidecars] === 'true';

/** Whether the program has ended for good, so that the pod has its result, while other containers keep the pod alive. */
export const outlivesProgram = (pod: Pod): boolean =>
  !waitsForSidecars(pod) && containersBesideEnd(pod).length > 0;

/** Whether the kubelet does not start a container again after this end. */
export function isLastRun(spec: PodSpec, container: string, { exitCode }: TerminatedState): boolean {
  const own = spec.containers.find(({ name }) => name === container);
  // Rules may restart the container after any exit code.
  if (own?.restartPolicyRules) return false;
  const restartPolicy = own?.restartPolicy ?? spec.restartPolicy ?? 'Always';
  return restartPolicy === 'Never' || (restartPolicy === 'OnFailure' && exitCode === 0);
}

/** Keeps of a container's spec what `isLastRun` and `attemptOf` read, and its resources. */
export const trimContainers = (containers: readonly Container[]): readonly Container[] =>
  containers.map(({ name, restartPolicy, restartPolicyRules, resources, env }) => ({
    ...{ name, restartPolicy, restartPolicyRules, resources },
    env: env?.filter((variable) => variable.name === ATTEMPT_VARIABLE),
  }));

/** Returns the status of the main container; undefined if it has none yet. */
export const programOf = (pod: Pod): ContainerStatus | undefined =>
  pod.status?.containerStatuses?.find(({ name }) => name === programNameOf(pod));

/** The node controller withdraws the Ready condition, without a reason, where a node reports nothing any more. */
function isOnSilentNode(pod: Pod): boolean {
  const ready = conditionOf(pod, 'Ready');
  return ready?.status === 'False' && !ready.reason;
}
