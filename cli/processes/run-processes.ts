import type { Logger } from 'pino';
import type { Running } from '../../contracts/settings.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { Settings } from '../settings/settings.ts';
import { remedyOf } from '../shell/errors.ts';
import { startHttp } from './http-server.ts';
import { untilLauncherEnds } from './launcher.ts';
import type { Beat } from './process-messages.ts';
import { WorkerProcessError } from './worker-process-error.ts';

/** A part of signalbox that runs until it is stopped, e.g. a worker or a watcher. */
export interface HostedProcess {
  readonly name: string;
  start(settings: Settings, log: Logger): Promise<Running>;
}

interface Surroundings {
  readonly log: Logger;
  /** The command that runs this process as one of several. */
  readonly parent?: {
    readonly ended: Promise<'orphaned'>;
    /** Tells it again and again how this process is. */
    tell(beat: () => Beat): void;
  };
}

interface StartedPart extends Running {
  readonly name: string;
}

/**
 * Runs parts in this process until a signal arrives, the npx that started it ends, or a part fails; returns the code with
 * which the process is to exit, also if a part is still starting. A second signal ends the process at once.
 */
export async function runProcesses(
  parts: readonly HostedProcess[],
  settings: Settings,
  { log, parent }: Surroundings,
): Promise<number> {
  const ending = Promise.race([untilSignalled(log), parent ? parent.ended : untilLauncherEnds(log)]);
  const started: StartedPart[] = [];
  const health = {
    unready: () => unready(parts, started),
    impaired: () => reasonsOf(started, (part) => part.impaired?.()),
    // Parts that use Temporal's SDK share its one page.
    metrics: () =>
      Promise.all([...new Set(started.flatMap(({ metrics }) => metrics ?? []))].map((page) => page())),
  };
  const http = await startHttp(settings.http, health);
  log[parent ? 'debug' : 'info']({ address: http.address }, 'listening for health checks and metrics');
  parent?.tell(() => ({
    ...{ address: http.address, unready: health.unready(), impaired: health.impaired() },
  }));
  const starting = Promise.all(parts.map((part) => start(part)));
  try {
    if (typeof (await Promise.race([starting, ending])) === 'string') return 0;
    await Promise.race([ending, ...started.map(({ failed, name }) => failed.catch(failedPart(name)))]);
    return 0;
  } finally {
    // Without a part that is still starting: it may wait for its server without end.
    await stopAll(started, log);
    await http.close();
  }

  async function start(part: HostedProcess): Promise<void> {
    const running = await part.start(settings, log.child({ part: part.name }));
    started.push({
      name: part.name,
      failed: running.failed,
      metrics: running.metrics,
      unready: () => running.unready(),
      impaired: () => running.impaired?.(),
      stop: () => running.stop(),
    });
    log.info({ part: part.name }, 'started');
  }
}

/** A part failed; `cause` has the reason. */
class ProcessFailedError extends Error {
  override readonly name = 'ProcessFailedError';
  readonly remedy: string | undefined;

  constructor(name: string, cause: unknown) {
    super(`The ${name} failed: ${errorMessage(cause)}`, { cause });
    this.remedy = remedyOf(cause);
  }
}

const failedPart = (name: string) => (cause: unknown) => {
  if (cause instanceof WorkerProcessError) throw cause;
  throw new ProcessFailedError(name, cause);
};

function unready(parts: readonly HostedProcess[], started: readonly StartedPart[]): string | undefined {
  const waiting = parts.find(({ name }) => !started.some((part) => part.name === name));
  if (waiting) return `${waiting.name}: starting`;
  return reasonsOf(started, (part) => part.unready());
}

function reasonsOf(
  started: readonly StartedPart[],
  reasonOf: (part: StartedPart) => string | undefined,
): string | undefined {
  const reasons = started.flatMap((part) => {
    const reason = reasonOf(part);
    return reason ? [`${part.name}: ${reason}`] : [];
  });
  return reasons.length ? reasons.join('; ') : undefined;
}

/** A process can receive Ctrl-C twice: from the terminal, and from npm or cli/bin.mjs. */
const SAME_SIGNAL_MS = 300;

function untilSignalled(log: Logger): Promise<'signalled'> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (first === undefined) log.info({ signal }, 'stopping; a second signal ends the process at once');
      first ??= Date.now();
      if (Date.now() - first > SAME_SIGNAL_MS) process.exit(1);
      resolve('signalled');
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}

/** Stops in reverse order, as later parts may need earlier ones. */
async function stopAll(started: readonly StartedPart[], log: Logger): Promise<void> {
  for (const part of started.toReversed()) {
    try {
      await part.stop();
      log.info({ part: part.name }, 'stopped');
    } catch (error) {
      log.error({ part: part.name, err: error }, 'did not shut down cleanly');
    }
  }
}
