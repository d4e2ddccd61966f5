import type { HostedProcess } from './run-processes.ts';

/** Commands load only the parts that they run. */
export const workerProcess = async (): Promise<HostedProcess> => {
  const { startWorker } = await import('../../worker/worker.ts');
  return { name: 'worker', start: startWorker };
};

export const watcherProcess = async (): Promise<HostedProcess> => {
  const { startWatcher } = await import('../../watcher/watcher.ts');
  return { name: 'watcher', start: startWatcher };
};
