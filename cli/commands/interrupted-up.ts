import type { SandboxStatus } from '@signalbox/sandbox';

/**
 * Says what goes on after Ctrl-C. The supervisor is a process of its own, which that does not reach; fetching and building
 * are of the command, and end with it.
 */
export function interruptedUp(status: SandboxStatus): string {
  if (!status.running)
    return 'Interrupted; no sandbox runs yet. What was fetched or built is kept: the same command goes on from there.';
  if (status.state.phase === 'starting') return `The sandbox continues to start in the background. ${CHECK}`;
  return `Interrupted; the sandbox runs as before. What was still to be built or added is missing: repeat the command. ${CHECK}`;
}

const CHECK = 'To check: signalbox sandbox status. To stop it: signalbox sandbox down';
