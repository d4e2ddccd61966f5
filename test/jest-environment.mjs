import { promiseHooks } from 'node:v8';
import { TestEnvironment } from 'jest-environment-node';

const { createHook } = promiseHooks;

/** The environment of each test file. */
export default class TestFileEnvironment extends TestEnvironment {
  #stopHooks = [];

  async setup() {
    await super.setup();
    promiseHooks.createHook = (hooks) => {
      const stop = createHook(hooks);
      this.#stopHooks.push(stop);
      return stop;
    };
  }

  /**
   * Stops the hooks on promises that the file has left: Temporal's SDK sets one when it replays a history, and never stops
   * it. It would slow the files that run later in this process; the unit tests took a fifth longer.
   */
  async teardown() {
    promiseHooks.createHook = createHook;
    for (const stop of this.#stopHooks) stop();
    await super.teardown();
  }

  /**
   * Lets the concurrent tests (`it.concurrent`) of a whole file run side by side, up to jest's `maxConcurrency`; jest itself
   * runs the `describe` blocks of a file one after the other. The tests of a block with hooks stay there, as these are
   * for that block alone.
   */
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'run_start') rootDescribeBlock.children.push(...takeConcurrentTests(rootDescribeBlock));
  }
}

/** Those of the blocks within `block`. A test keeps its parent, which gives it its full name. */
function takeConcurrentTests(block) {
  return block.children.flatMap((child) => {
    if (child.type !== 'describeBlock' || child.hooks.length > 0) return [];
    const taken = child.children.filter(isConcurrent);
    child.children = child.children.filter((one) => !isConcurrent(one));
    return [...taken, ...takeConcurrentTests(child)];
  });
}

const isConcurrent = ({ type, concurrent }) => type === 'test' && concurrent;
