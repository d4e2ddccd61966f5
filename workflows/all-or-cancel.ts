import { CancellationScope, patched } from '@temporalio/workflow';

/**
 * Waits for activities that are parts of one. If one ends early the others are cancelled, and waited for: what went on
 * beside whatever comes next would make pods that nobody removes.
 */
export function allOrCancel<T>(begin: () => readonly Promise<T>[]): Promise<T[]> {
  const scope = new CancellationScope({ cancellable: true });
  return scope.run(async () => {
    const begun = begin();
    try {
      return await Promise.all(begun);
    } catch (error) {
      // Histories of earlier versions did not wait.
      if (begun.length > 1 && patched('parts-end-together')) {
        scope.cancel();
        await Promise.allSettled(begun);
      }
      throw error;
    }
  });
}
