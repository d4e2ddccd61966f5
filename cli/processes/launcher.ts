import type { Logger } from 'pino';
import { describeProcess, identify, isAlive, type ProcessIdentity } from '../../runtime/process-identity.mjs';

const LOOK_MS = 1_000;
/** npx starts a shell, and that cli/bin.mjs, which may start another Node. */
const MOST_ANCESTORS = 4;

/**
 * Resolves when `npx signalbox` has ended, of which this process is a part. npx passes a signal to its shell only, which
 * ends without passing it on, and SIGKILL reaches no child. Never resolves for a process that was started in another way,
 * e.g. by a script of npm that starts it in the background.
 */
export async function untilLauncherEnds(log: Logger, env = process.env): Promise<'orphaned'> {
  const launchers = isOfNpx(env) ? launchersOf(process.ppid) : [];
  if (launchers.length === 0) return new Promise(() => undefined);
  log.debug({ npx: launchers.at(-1)!.pid }, 'this process ends with the npx that started it');
  return new Promise((resolve) => {
    const looking = setInterval(() => {
      if (launchers.every(isAlive)) return;
      clearInterval(looking);
      log.info('stopping: the npx that started this process has ended');
      resolve('orphaned');
    }, LOOK_MS);
    looking.unref();
  });
}

/** npx gives its command as `signalbox` or `'signalbox'`. */
const isOfNpx = ({ npm_lifecycle_event, npm_lifecycle_script = '' }: NodeJS.ProcessEnv) =>
  npm_lifecycle_event === 'npx' && /^["']?signalbox["']?(\s|$)/.test(npm_lifecycle_script);

/** Returns the processes from this one up to npx; none if npx is not among them. */
function launchersOf(parent: number): readonly ProcessIdentity[] {
  const found: ProcessIdentity[] = [];
  for (let pid = parent; pid > 0 && found.length < MOST_ANCESTORS; ) {
    const identity = identify(pid);
    const described = describeProcess(pid);
    if (!identity || !described) return [];
    found.push(identity);
    if (NPX.test(described.command)) return found;
    pid = described.parent;
  }
  return [];
}

/** `npm exec signalbox up`, as npx calls itself, or its program. */
const NPX = /(^|[\s/])np[mx](-cli\.js)?(\s|$)/;
