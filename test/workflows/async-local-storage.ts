import { AsyncLocalStorage } from 'node:async_hooks';
import { AsyncLocalStorage as ForScopes } from '@temporalio/workflow/lib/cancellation-scope.js';
import { AsyncLocalStorage as ForUpdates } from '@temporalio/workflow/lib/update-scope.js';

/**
 * Adds the missing methods to the SDK's placeholders. The worker's sandbox provides a global AsyncLocalStorage; outside of
 * it the SDK uses empty classes instead. It creates them on import, before any test code could define the global.
 */
export function fillInAsyncLocalStorage(): void {
  for (const { prototype } of [ForScopes, ForUpdates]) Object.assign(prototype, METHODS);
}

const storages = new WeakMap<object, AsyncLocalStorage<unknown>>();

function storageOf(placeholder: object): AsyncLocalStorage<unknown> {
  const storage = storages.get(placeholder) ?? new AsyncLocalStorage();
  storages.set(placeholder, storage);
  return storage;
}

const METHODS = {
  run<T>(this: object, store: unknown, work: () => T): T {
    return storageOf(this).run(store, work);
  },
  getStore(this: object): unknown {
    return storageOf(this).getStore();
  },
};
