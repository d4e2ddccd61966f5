import { Readable } from 'node:stream';
import { main } from '../../cli/main.ts';
import type { Ended, Options } from './process.ts';

/** Ends a command as `process.exit` ends its process. */
class Exited extends Error {}

/**
 * Runs the command line as `signalbox` of process.ts does, but in this process, which takes a hundredth of the time: for all but
 * what makes a process, as are its start, signals, pipes, its user and what it loads. One at a time, as it replaces
 * `process.env` and more.
 */
export function commandLine(
  args: readonly string[],
  options: Pick<Options, 'env' | 'stdin'> = {},
): Promise<Ended> {
  const ended = last.then(() => run(args, options));
  last = ended.catch(() => undefined);
  return ended;
}

let last: Promise<unknown> = Promise.resolve();

async function run(
  args: readonly string[],
  { env, stdin = '' }: Pick<Options, 'env' | 'stdin'>,
): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const listeners = process.stdout.listeners('error');
  const { exitCode } = process;
  const restore = [
    replace(process, 'env', {
      ...{ PATH: process.env.PATH, SIGNALBOX_SANDBOX_DIR: '/nowhere', XDG_CONFIG_HOME: '/nowhere' },
      ...env,
    }),
    replace(process, 'stdin', Readable.from([Buffer.from(stdin)])),
    replace(process, 'exit', (code?: number): never => {
      process.exitCode = code ?? process.exitCode;
      throw new Exited();
    }),
    ...(['stdout', 'stderr'] as const).flatMap((name) => [
      replace(process[name], 'isTTY', false),
      replace(process[name], 'write', (text: string | Uint8Array, ...more: readonly unknown[]) => {
        said[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
        for (const one of more) if (typeof one === 'function') process.nextTick(one as () => void);
        return true;
      }),
    ]),
  ];
  process.exitCode = undefined;
  try {
    await main(args);
  } catch (error) {
    if (!(error instanceof Exited)) throw error;
  } finally {
    for (const undo of restore.reverse()) undo();
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = exitCode;
  for (const one of process.stdout.listeners('error'))
    if (!listeners.includes(one)) process.stdout.off('error', one as () => void);
  return { code, ...said };
}

/** Gives an object another property, and returns what undoes that. */
function replace(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
  return () => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  };
}
