import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensurePrograms } from '@signalbox/sandbox';
import { ROOT } from './manifests.ts';

const run = promisify(execFile);

/** Runs the program in the checkout, and returns what it prints. Throws with its complaint. */
export type Installer = (...args: readonly string[]) => Promise<string>;

/** Those who install signalbox: helm and kubectl, as users of a cluster if there is one. `signal` kills them. */
export async function openInstallers(
  kubeconfig = '/dev/null',
  signal?: AbortSignal,
): Promise<Record<'helm' | 'kubectl', Installer>> {
  const programs = await ensurePrograms({ names: ['helm', 'kubectl'] });
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', KUBECONFIG: kubeconfig };
  const installer = (program: string): Installer => {
    return async (...args) => {
      const options = { cwd: ROOT, env, maxBuffer: 2 ** 24 };
      const running = run(program, [...args], options);
      const kill = () => running.child.kill('SIGKILL');
      signal?.addEventListener('abort', kill);
      const { stdout } = await running
        .catch((error: Error & { stderr?: string }) => {
          throw new Error(error.stderr || error.message, { cause: error });
        })
        .finally(() => signal?.removeEventListener('abort', kill));
      return stdout;
    };
  };
  return { helm: installer(programs.helm), kubectl: installer(programs.kubectl) };
}
