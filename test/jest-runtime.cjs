const { default: JestRuntime } = require('jest-runtime');

/**
 * The runtime of each test file. Jest refuses `import()` outside of tests and hooks, and takes the end of one concurrent
 * test for the end of all of them: those that still run could not import any more.
 */
module.exports = class TestFileRuntime extends JestRuntime {
  /** Tests and hooks that have begun and not ended. */
  #running = 0;

  enterTestCode() {
    this.#running += 1;
    super.enterTestCode();
  }

  leaveTestCode() {
    this.#running -= 1;
    if (this.#running === 0) super.leaveTestCode();
  }
};
