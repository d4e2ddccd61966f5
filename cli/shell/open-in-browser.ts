/** Opens an address in the browser of this machine. Without a program that does, nothing happens: it has been printed. */
export async function openInBrowser(address: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  // Each system has its own command.
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(command!, [...args, address], { detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref();
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
