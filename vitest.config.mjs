import { defineConfig } from 'vitest/config';

/** Tests that start programs, and those that need servers as well. */
const SCENARIOS = '**/*.{scenario,program}.test.ts';

export default defineConfig({
  test: {
    // Node loads the TypeScript as it stands, as the product does. The files of a process share its modules: to load them
    // anew for each took longer than the tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    setupFiles: ['test/promise-hooks.ts'],
    // A bound for broken systems on busy machines; no test waits for it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      project('unit', ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'], [SCENARIOS]),
      project('scenarios', [`test/${SCENARIOS}`, `packages/*/test/${SCENARIOS}`]),
      project('long', ['test/long/**/*.long.ts']),
      project('node', ['test/node/**/*.real.ts']),
    ],
  },
});

function project(name, include, exclude = []) {
  return { extends: true, test: { name, include, exclude } };
}
