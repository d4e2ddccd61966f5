import type { Settings } from '../settings/settings.ts';
import type { HostedProcess } from './run-processes.ts';

/** Commands load only the parts that they run. */
export async function workerPart({ processes }: Settings): Promise<HostedProcess> {
  const { processCount } = await import('../../worker/process-count.ts');
  const count = processCount(processes);
  if (count === 1) return workerProcess();
  const { workerGroup } = await import('./worker-group.ts');
  return workerGroup(count, { path: process.argv[1]!, args: [WORKER_PROCESS] });
}

/** The hidden command of each of several worker processes. */
export const WORKER_PROCESS = '__worker';

export async function workerProcess(): Promise<HostedProcess> {
  const [{ startWorker }, { showBuild }] = await Promise.all([
    import('../../worker/worker.ts'),
    import('./build-info.ts'),
  ]);
  showBuild('worker');
  return { name: 'worker', start: startWorker };
}

export async function watcherProcess(): Promise<HostedProcess> {
  const [{ startWatcher }, { healthTable }, { showBuild }] = await Promise.all([
    import('../../watcher/watcher.ts'),
    import('./health-table.ts'),
    import('./build-info.ts'),
  ]);
  showBuild('watcher');
  return {
    name: 'watcher',
    start: async (settings, log) =>
      startWatcher({ ...settings, health: await healthTable(settings.nodeHealth) }, log),
  };
}

/** `onlyIfWanted`: where the cluster serves kinds of jobs that nobody else runs. */
export async function bridgeProcess({ onlyIfWanted = false } = {}): Promise<HostedProcess> {
  const [{ startBridge }, { showBuild }] = await Promise.all([
    import('../../bridge/bridge.ts'),
    import('./build-info.ts'),
  ]);
  showBuild('bridge');
  return { name: 'bridge', start: (settings, log) => startBridge({ ...settings, onlyIfWanted }, log) };
}

/** In the place of a bridge that is not to run: says which resources wait for one. */
export async function bridgeWatch(): Promise<HostedProcess> {
  const { startUnservedWatch } = await import('../../bridge/unserved-watch.ts');
  return { name: 'bridge watch', start: startUnservedWatch };
}

export async function notifierProcess(): Promise<HostedProcess> {
  const [{ startNotifier }, { showBuild }] = await Promise.all([
    import('../../notify/notifier.ts'),
    import('./build-info.ts'),
  ]);
  showBuild('notifier');
  return { name: 'notifier', start: startNotifier };
}
