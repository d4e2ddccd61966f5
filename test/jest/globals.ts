import type * as Globals from '@jest/globals';

/**
 * What test files import as `@jest/globals`. Jest makes these anew for each test file. A module that several files share
 * always gets those of the file that runs.
 */
export let afterAll: typeof Globals.afterAll;
export let afterEach: typeof Globals.afterEach;
export let beforeAll: typeof Globals.beforeAll;
export let beforeEach: typeof Globals.beforeEach;
export let describe: typeof Globals.describe;
export let expect: typeof Globals.expect;
export let it: typeof Globals.it;
export let jest: typeof Globals.jest;
export let test: typeof Globals.test;

export function setGlobals(globals: typeof Globals): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
