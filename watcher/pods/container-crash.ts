import { MESSAGE_LENGTH } from '../../contracts/digest.ts';
import type { ContainerStatus, Pod, TerminatedState } from '../../contracts/kubernetes.ts';
import { containersOf, countEnds } from '../../contracts/pod.ts';
import { isLastRun, programOf } from '../../contracts/program.ts';
import { shorten } from '../../language/shorten.ts';
import { memoryLimitOf } from './memory-limit.ts';

export interface EndedContainer {
  readonly container: string;
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly memoryLimit?: string;
}

/** How a container ended that the kubelet restarts. */
export interface ContainerCrash extends EndedContainer {
  /** Restarts of this container alone. */
  readonly restarts: number;
}

/** How a program ended last that the kubelet restarts. */
export interface CrashedProgram extends EndedContainer {
  readonly reason: string;
  /** How often it has ended. */
  readonly ends: number;
  /** How often it was restarted: after its last end perhaps not yet. */
  readonly restarts: number;
}

/**
 * Returns how the container with the most restarts last ended. While it waits for a restart, its state is mostly
 * `terminated` and only late `waiting`; once it runs again, the end is its last state.
 */
export function containerCrashOf(pod: Pod): ContainerCrash | undefined {
  const crashes = containersOf(pod).flatMap((status) => crashOf(pod, status));
  return crashes.reduce<ContainerCrash | undefined>(
    (worst, one) => (worst && worst.restarts >= one.restarts ? worst : one),
    undefined,
  );
}

function crashOf(pod: Pod, { name, restartCount = 0, state, lastState }: ContainerStatus): ContainerCrash[] {
  const end = state?.terminated ?? lastState?.terminated;
  if (restartCount === 0 || !end?.exitCode) return [];
  const { exitCode, signal, reason } = end;
  const told = { reason, message: messageOf(end), memoryLimit: memoryLimitOf(pod, name, end) };
  // Kubernetes sets 0 if there was no signal.
  return [{ container: name, exitCode, signal: signal || undefined, ...told, restarts: restartCount }];
}

/** Returns how the program ended last, if with an error. It waits for its restart, or runs again. */
export function programCrashOf(pod: Pod): CrashedProgram | undefined {
  const program = programOf(pod);
  const now = program?.state?.terminated;
  const end = now ?? program?.lastState?.terminated;
  if (!program || !end?.exitCode) return undefined;
  // Nothing restarts it: the pod fails with the next update, and one digest tells that.
  if (now && isLastRun(pod.spec, program.name, now)) return undefined;
  const { exitCode, signal, reason = 'Error' } = end;
  return {
    container: program.name,
    exitCode,
    signal: signal || undefined,
    reason,
    message: messageOf(end),
    memoryLimit: memoryLimitOf(pod, program.name, end),
    ends: countEnds(program),
    restarts: program.restartCount ?? 0,
  };
}

/** Returns what the program wrote for its end, or why the kubelet could not start it. */
const messageOf = ({ message }: TerminatedState) => (message ? shorten(message, MESSAGE_LENGTH) : undefined);
