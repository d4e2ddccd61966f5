import { spawnSync } from 'node:child_process';
import { ROOT } from '../runtime/node-runtime.mjs';

const NEEDED =
  'It needs npm and the registry that `npm config get registry` shows, about 1.5 GB of disk, and write access to this checkout and npm’s cache.';

/** Runs npm. All that it prints goes to standard error: standard output belongs to the program that is set up. */
export function runNpm(step, args) {
  // Not by the console, to which test runners add where it was called.
  process.stderr.write(`${step} …\n`);
  callNpm(step, args, ['ignore', 2, 2]);
}

/** Runs npm and returns what it prints. */
export function readNpm(step, args) {
  return callNpm(step, args, ['ignore', 'pipe', 2]);
}

function callNpm(step, args, stdio) {
  const [command, ...before] = npmCommand();
  const { status, error, stdout } = spawnSync(
    command,
    [...before, ...args, '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: ROOT,
      env: withoutNpmScriptVariables(process.env),
      stdio,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      shell: process.platform === 'win32' && before.length === 0,
    },
  );
  if (error) throw new Error(`${step}: npm cannot be run: ${error.message}\n${NEEDED}`);
  if (status !== 0) throw new Error(`${step} failed: npm says above why.\n${NEEDED}`);
  return stdout;
}

/** Prefers the npm that runs this script, if any: its Node is known to suit it. */
const npmCommand = () => {
  const path = process.env.npm_execpath;
  return path?.endsWith('npm-cli.js') ? [process.execPath, path] : ['npm'];
};

/** An outer `npm run` or `npx` passes its own flags as variables, which must not reach this npm. */
function withoutNpmScriptVariables(env) {
  const passed = Object.entries(env).filter(([name]) => {
    const isFlag =
      /^npm_config_(global|prefix|local_prefix|workspace|workspaces|omit|dry_run|package|call|yes)$/i.test(
        name,
      );
    return !isFlag && !/^npm_(package|lifecycle|command)/.test(name);
  });
  return Object.fromEntries(passed);
}
