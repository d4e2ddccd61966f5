import { CancellationScope } from '@temporalio/workflow';

/**
 * Waits for activities that are parts of one. If one fails, the others are cancelled and awaited: an activity that outlived
 * the effect would create pods that are never removed.
 */
export function allOrCancel<T>(start: () => readonly Promise<T>[]): Promise<T[]> {
  const scope = new CancellationScope({ cancellable: true });
  return scope.run(async () => {
    const started = start();
    try {
      return await Promise.all(started);
    } catch (error) {
      scope.cancel();
      await Promise.allSettled(started);
      throw error;
    }
  });
}
