import { once } from 'node:events';
import type { Logger } from 'pino';
import { errorCode } from '../../language/error-code.ts';
import { errorMessage } from '../../language/error-message.ts';
import { ownIdentity } from '../settings/own-identity.ts';
import type { Settings } from '../settings/settings.ts';
import { remedyOf, withEncodingExplained } from '../shell/errors.ts';
import { createLog } from './log.ts';
import { type Assignment, BEAT_MS, type Beat, type ProcessFailure, type Report } from './process-messages.ts';
import { type HostedProcess, runProcesses } from './run-processes.ts';

/**
 * Runs one of several processes for the command that started this one, which decides when it ends, shows its health and
 * metrics, and prints its error. Returns the code with which the process is to exit.
 */
export async function runForParent(load: () => Promise<HostedProcess>): Promise<number> {
  const ended = untilDisconnected();
  const [{ number, settings }] = (await once(process, 'message')) as [Assignment];
  const log = createLog(settings.logLevel);
  try {
    const part = { ...(await load()), name: `worker ${number}` };
    return await runProcesses([part], ownSettings(settings), {
      log,
      parent: { ended: announced(ended, log), tell },
    });
  } catch (error) {
    await send({ failure: failureOf(await withEncodingExplained(error)) });
    return 1;
  }
}

/** The channel also closes when the command was killed. */
const untilDisconnected = () =>
  new Promise<'orphaned'>((resolve) => process.once('disconnect', () => resolve('orphaned')));

async function announced<T>(ended: Promise<T>, log: Logger): Promise<T> {
  const how = await ended;
  log.info('stopping with the command that started this process');
  return how;
}

const ownSettings = (settings: Settings): Settings => ({
  ...settings,
  workerIdentity: ownIdentity(),
  http: { host: '127.0.0.1', port: 0 },
});

function tell(beat: () => Beat): void {
  const report = () => void send({ beat: beat() });
  report();
  setInterval(report, BEAT_MS).unref();
}

const send = (report: Report) =>
  new Promise<void>((resolve) => {
    if (process.connected) process.send!(report, undefined, undefined, () => resolve());
    else resolve();
  });

const failureOf = (error: unknown): ProcessFailure => ({
  message: errorMessage(error),
  code: errorCode(error),
  remedy: remedyOf(error),
  stack: error instanceof Error ? error.stack : undefined,
});
