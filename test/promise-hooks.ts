import { promiseHooks } from 'node:v8';
import { afterAll } from 'vitest';

/**
 * Stops the hooks on promises that a test file has left. Temporal's SDK sets one when it replays a history, and never stops
 * it: it would slow the files that run later in this process.
 */

const { createHook } = promiseHooks;
const stops: (() => void)[] = [];

promiseHooks.createHook = (hooks) => {
  const stop = createHook(hooks) as () => void;
  stops.push(stop);
  return stop;
};

afterAll(() => {
  promiseHooks.createHook = createHook;
  for (const stop of stops.splice(0)) stop();
});
