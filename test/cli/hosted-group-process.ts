import { fileURLToPath } from 'node:url';
import { createLog } from '../../cli/processes/log.ts';
import { runForParent } from '../../cli/processes/parent.ts';
import { type HostedProcess, runProcesses } from '../../cli/processes/run-processes.ts';
import { workerGroup } from '../../cli/processes/worker-group.ts';
import { resolveSettings } from '../../cli/settings/settings.ts';
import { explainError, SettingsError } from '../../cli/shell/errors.ts';

/** Two processes that a command runs as one; the argument says how they behave. */
const behaviour = process.argv[2]!;

const part: HostedProcess = {
  name: 'worker',
  start: async (_settings, log) => {
    if (behaviour === 'fails to start') throw new SettingsError('no steam', { remedy: 'Light a fire.' });
    const isSecond = log.bindings().part === 'worker 2';
    return {
      failed: new Promise<never>(() => undefined),
      unready: () => (behaviour === 'second is not ready' && isSecond ? 'pressure is low' : undefined),
      impaired: () => (behaviour === 'runs' && isSecond ? 'a valve is stuck' : undefined),
      metrics: async () => '# TYPE whistles counter\nwhistles 3\n',
      stop: async () => {
        if (behaviour === 'never stops') await new Promise(() => setInterval(() => undefined, 1_000));
      },
    };
  },
};

async function runGroup(): Promise<number> {
  const settings = resolveSettings({ flags: { httpPort: '0' }, env: {}, sandbox: () => undefined });
  const group = workerGroup(2, { path: fileURLToPath(import.meta.url), args: [behaviour] });
  try {
    return await runProcesses([group], settings, { log: createLog('info') });
  } catch (error) {
    console.error(explainError(error, { debug: false }));
    return 1;
  }
}

process.exit(await (process.send ? runForParent(async () => part) : runGroup()));
