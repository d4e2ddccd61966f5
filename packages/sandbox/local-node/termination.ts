import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerProcess } from './process.ts';

export interface Termination {
  /** The container's hook, if it has one. */
  readonly preStop?: () => Promise<void>;
  /** Delays SIGTERM: sidecars stay until the other containers have ended. */
  readonly after?: Promise<void>;
  /** The end of the grace period. */
  readonly deadline: AbortSignal;
}

/** A container has at least this long to end, however long its hook took: the kubelet's minimumGracePeriodInSeconds. */
const LEAST_MS = 2_000;

/** Terminates a container like a kubelet: preStop hook, SIGTERM, SIGKILL. */
export async function terminate(
  container: ContainerProcess,
  { preStop, after, deadline }: Termination,
): Promise<void> {
  const late = deadline.aborted ? Promise.resolve() : once(deadline, 'abort');
  const over = Promise.race([late, container.ended]);
  await Promise.race([over, preStop?.()]);
  await Promise.race([over, after]);
  container.kill('SIGTERM');
  const least = preStop && delay(LEAST_MS, undefined, { ref: false });
  await Promise.race([container.ended, Promise.all([late, least])]);
  container.kill('SIGKILL');
}
