import { spawn } from 'node:child_process';
import { ROOT } from './node-runtime.mjs';
import { setupError } from './setup-errors.mjs';
import { startProgress } from './setup-progress.mjs';

/** Runs npm with progress; prints npm's output only if it fails. */
export async function runNpm(step, args) {
  const progress = startProgress(step);
  const { code, said } = await npm(args);
  progress.end(code === 0);
  if (code !== 0) throw setupError(step, said);
}

/** Prefers the npm that runs this script, if any: its Node is known to suit it. */
const npmCommand = () => {
  const path = process.env.npm_execpath;
  return path?.endsWith('npm-cli.js') ? [process.execPath, path] : ['npm'];
};

function npm(args) {
  const [command, ...before] = npmCommand();
  return new Promise((resolve) => {
    const child = spawn(
      command,
      [...before, ...args, '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'],
      {
        cwd: ROOT,
        env: withoutNpmScriptVariables(process.env),
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: process.platform === 'win32' && before.length === 0,
      },
    );
    let said = '';
    const hear = (chunk) => {
      said = (said + chunk).slice(-20_000);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', (error) => resolve({ code: 1, said: `npm cannot be run: ${error.message}` }));
    child.once('close', (code) => resolve({ code, said }));
  });
}

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
