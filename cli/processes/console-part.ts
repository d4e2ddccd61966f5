import { openInBrowser } from '../shell/open-in-browser.ts';
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
