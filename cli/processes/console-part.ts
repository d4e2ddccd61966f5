import type { HostedProcess } from './run-processes.ts';

/** `open`: in the browser of this machine. */
export async function consolePart({
  open = false,
}: {
  readonly open?: boolean;
} = {}): Promise<HostedProcess> {
  const [{ startConsole }, { connectedClient }, { showBuild }] = await Promise.all([
    import('../../console/console.ts'),
    import('../session/session.ts'),
    import('./build-info.ts'),
  ]);
  showBuild('console');
  return {
    name: 'console',
    start: async (settings, log) => {
      const running = await startConsole(settings, log, () => connectedClient(settings));
      if (open) await openInBrowser(running.address);
      return running;
    },
  };
}

/** Each system has its own command. Without one, the address has been printed. */
async function openInBrowser(address: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(command!, [...args, address], { detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref();
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
