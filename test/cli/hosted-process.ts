import { createLog } from '../../cli/processes/log.ts';
import { type HostedProcess, runProcesses } from '../../cli/processes/run-processes.ts';
import { resolveSettings } from '../../cli/settings/settings.ts';

/** A process that hosts one part; the argument says how the part behaves. */
const behaviour = process.argv[2];
const failure = Promise.withResolvers<never>();
failure.promise.catch(() => undefined);

const part: HostedProcess = {
  name: 'engine',
  start: async () => {
    if (behaviour === 'fails to start') throw new Error('no steam');
    if (behaviour === 'never starts') await new Promise(() => setInterval(() => undefined, 1_000));
    if (behaviour === 'fails later') setTimeout(() => failure.reject(new Error('boiler burst')), 50);
    return {
      failed: failure.promise,
      unready: () => (behaviour === 'is not ready' ? 'pressure is low' : undefined),
      stop: async () => {
        if (behaviour === 'never stops') await new Promise(() => setInterval(() => undefined, 1_000));
      },
    };
  },
};

const settings = resolveSettings({ flags: { httpPort: '0' }, env: {}, sandbox: () => undefined });
const log = createLog('debug');
log.info({ pid: process.pid }, 'begun');
try {
  process.exit(await runProcesses([part], settings, { log }));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
