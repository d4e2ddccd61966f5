import { promiseHooks } from 'node:v8';
import { ModernFakeTimers } from '@jest/fake-timers';
import fc from 'fast-check';
import type { Event, State } from 'jest-circus';
import { ModuleMocker } from 'jest-mock';

type Child = State['rootDescribeBlock']['children'][number];

/** What jest keeps on the global object for one test file: its state, handlers of events, time limit and retries. */
const OF_ONE_FILE =
  /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|RETRY_\w+|WAIT_BEFORE_RETRY|LOG_ERRORS_BEFORE_RETRY)$/;

const { createHook } = promiseHooks;

/** The seed of a whole run (test/pass.ts), which says it. */
const { SIGNALBOX_SEED } = process.env;
if (SIGNALBOX_SEED !== undefined) fc.configureGlobal({ seed: Number(SIGNALBOX_SEED) });

/**
 * The `testEnvironment` of jest.config.mjs: the process, with its global objects. It undoes what jest and Temporal's SDK
 * leave in it after a test file.
 */
export default class ProcessEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #console = globalThis.console;
  readonly #exit = process.exit;
  readonly #stopHooks: (() => void)[] = [];

  constructor({
    projectConfig,
  }: { projectConfig: ConstructorParameters<typeof ModernFakeTimers>[0]['config'] }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /**
   * Temporal's SDK sets hooks on promises when it replays a history, and never stops them. They would slow the files that
   * run later. Node's own hooks, which it also sets from here on, must stay.
   */
  async setup(): Promise<void> {
    promiseHooks.createHook = (hooks) => {
      const stop = createHook(hooks) as () => void;
      const caller = new Error().stack?.split('\n')[2];
      if (caller?.includes('@temporalio')) this.#stopHooks.push(stop);
      return stop;
    };
  }

  async teardown(): Promise<void> {
    promiseHooks.createHook = createHook;
    for (const stop of this.#stopHooks) stop();
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (OF_ONE_FILE.test(key.description ?? '')) Reflect.deleteProperty(globalThis, key);
  }

  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  /**
   * Lets the concurrent tests (`it.concurrent`) of a whole file run side by side, where the first of them is; jest itself
   * runs the blocks of a file one after the other. Those of a block with hooks stay there, as the hooks are for it alone.
   */
  handleTestEvent({ name }: Event, { rootDescribeBlock: root }: State): void {
    if (name === 'run_start')
      root.children = root.children.flatMap((child) => [...takeConcurrentTests(child), child]);
  }
}

/** Those of a block, and of the blocks within it. A test keeps its parent, which gives it its full name. */
function takeConcurrentTests(block: Child): readonly Child[] {
  if (block.type !== 'describeBlock' || block.hooks.length > 0) return [];
  const taken = block.children.filter(isConcurrent);
  block.children = block.children.filter((child) => !isConcurrent(child));
  return [...taken, ...block.children.flatMap(takeConcurrentTests)];
}

const isConcurrent = (child: Child) => child.type === 'test' && child.concurrent;
