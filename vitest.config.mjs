import { defineConfig } from 'vitest/config';
import { EnginesOfTheirOwnFirst } from './test/engines-of-their-own-first.mjs';

/** Tests that start programs, and those that need servers as well. */
const SCENARIOS = '**/*.{scenario,program}.test.ts';

/** Of these, the ones that only a release needs. */
const RELEASE = [
  // what is published, as users have it
  `test/{docs,examples,package,python}/${SCENARIOS}`,
  'test/{demo,readme}.scenario.test.ts',
  'test/scripts/build.program.test.ts',
  `packages/*/test/${SCENARIOS}`,
  // many jobs, long lives
  'test/scenarios/{chaos,killed-pipeline,ledger,long-jobs,many-failures,workers-share}.scenario.test.ts',
  'test/record/archive/long-history.program.test.ts',
  // several clusters, Temporal namespaces and stores
  'test/scenarios/{archive-chains,archive-faults,attest,bucket,data-converter,two-installations}.scenario.test.ts',
];

export default defineConfig({
  test: {
    // Node loads the TypeScript as it stands, as the product does. The files of a process share its modules: to load them
    // anew for each took longer than the tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    isolate: false,
    setupFiles: ['test/promise-hooks.ts'],
    sequence: { sequencer: EnginesOfTheirOwnFirst },
    // A bound for broken systems on busy machines; no test waits for it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
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
