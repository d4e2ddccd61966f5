import type { Pod, TerminatedState } from '../../contracts/kubernetes.ts';

/** Returns the limit of memory of a container that was killed; undefined if it has none, or ended otherwise. */
export function memoryLimitOf(
  { spec: { containers, initContainers = [] } }: Pod,
  name: string,
  { exitCode, reason }: TerminatedState,
): string | undefined {
  if (exitCode !== KILLED && reason !== 'OOMKilled') return undefined;
  const container = [...containers, ...initContainers].find((one) => one.name === name);
  const limit = container?.resources?.limits?.memory;
  return limit === undefined ? undefined : String(limit);
}

/** 128 and the number of SIGKILL. */
const KILLED = 137;
