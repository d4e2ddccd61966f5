import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../local-node/main.ts', import.meta.url));

/** A separate local node that a test can kill. */
export function startNodeProcess(
  kubeconfig: string,
  dir: string,
  more: readonly string[] = [],
): ChildProcess {
  const args = [
    MAIN,
    '--kubeconfig',
    kubeconfig,
    '--dir',
    dir,
    '--node-name',
    'local',
    '--log-level',
    'warn',
    ...more,
  ];
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

export async function endNodeProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
