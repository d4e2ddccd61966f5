import type { Part } from './run-processes.ts';

/** Each part is loaded only by the commands that run it. */
export const workerPart = async (): Promise<Part> => {
  const { startWorker } = await import('../../worker/worker.ts');
  return { name: 'worker', start: startWorker };
};

export const watcherPart = async (): Promise<Part> => {
  const { startWatcher } = await import('../../watcher/watcher.ts');
  return { name: 'watcher', start: startWatcher };
};
