import { promiseHooks } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, jest } from '@jest/globals';

let files = 0;
/** How many promises the hooks have seen. */
const seen = { bySdk: 0, byOthers: 0 };

/** Checks that other files of this process have left nothing, and leaves what it can. Says which file this is. */
export async function leaveTraces(): Promise<number> {
  expect(Object.getOwnPropertySymbols(globalThis)).not.toContain(Symbol.for('TEST_TIMEOUT_SYMBOL'));
  expect('clock' in setTimeout).toBe(false);
  if (files === 0) setHooks();
  else await checkHooks();
  jest.setTimeout(1_234);
  jest.useFakeTimers();
  files += 1;
  return files;
}

/** One as Temporal's SDK does, which never stops it, and one as Node does. */
function setHooks(): void {
  const filename = '/node_modules/@temporalio/worker/lib/hooks.js';
  const asSdk = runInThisContext('(promiseHooks, hooks) => promiseHooks.createHook(hooks)', { filename });
  asSdk(promiseHooks, { init: () => count('bySdk') });
  promiseHooks.createHook({ init: () => count('byOthers') });
}

async function checkHooks(): Promise<void> {
  const before = { ...seen };
  await Promise.resolve();
  expect(seen.bySdk).toBe(before.bySdk);
  expect(seen.byOthers).toBeGreaterThan(before.byOthers);
}

function count(by: keyof typeof seen): void {
  seen[by] += 1;
}
