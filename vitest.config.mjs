import { defineConfig } from 'vitest/config';

/** Tests that start programs, and those that need servers as well. */
const SCENARIOS = '**/*.{scenario,program}.test.ts';

/** Of these, the ones of what is published: packages, documentation, demo and examples. */
const RELEASE = [
  `test/{docs,examples,package,python}/${SCENARIOS}`,
  'test/{demo,readme}.scenario.test.ts',
  'test/scripts/build.program.test.ts',
  `packages/*/test/${SCENARIOS}`,
];

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
    // The report names files; of tests, only the failed ones and the very slow.
    slowTestThreshold: 60_000,
    projects: [
      project('unit', ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'], [SCENARIOS]),
      project('scenarios', [`test/${SCENARIOS}`], RELEASE),
      project('release', RELEASE),
      project('long', ['test/long/**/*.long.ts']),
      project('node', ['test/node/**/*.real.ts']),
    ],
  },
});

function project(name, include, exclude = []) {
  return { extends: true, test: { name, include, exclude } };
}
