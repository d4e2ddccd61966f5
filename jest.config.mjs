/** Tests that start programs, and those that need servers as well. */
const SCENARIOS = '**/*.{scenario,program}.test.ts';

/** Of these, the ones that only a release needs. */
const RELEASE = [
  // what is published, as users have it
  `test/{docs,examples,package,python}/${SCENARIOS}`,
  'test/{demo,readme}.scenario.test.ts',
  // each page in each look, in a browser
  'test/console/console-in-browser.program.test.ts',
  'test/scripts/{build,release-notes,workflows}.program.test.ts',
  'test/deploy/image.program.test.ts',
  `packages/*/test/${SCENARIOS}`,
];

/** Of these, the ones that take so long that they run only when they are named. */
const LONG_SCENARIOS = [
  // many jobs, long lives
  'test/scenarios/{killed-pipeline,ledger,long-jobs,many-failures,parameter-sweep,stall,workers-share}.scenario.test.ts',
  'test/record/archive/long-history.program.test.ts',
  // random faults: the random walks and the simulation look for the same in each run
  'test/scenarios/chaos.scenario.test.ts',
  // several clusters, Temporal namespaces and stores
  'test/scenarios/{archive-chains,archive-faults,archive-forgeries,archive-set-aside,attest,bucket,data-converter,two-installations}.scenario.test.ts',
  // all files of a release, made twice
  'test/scripts/artifacts.program.test.ts',
];

/** Tests on real nodes that take minutes each: they run when they are named. */
const LONG_NODE = ['test/node/upgraded.real.ts'];

/** Node loads the TypeScript as it stands, as the product does, and the files of a process share its modules. */
export const NATIVE = {
  rootDir: import.meta.dirname,
  testRunner: '<rootDir>/test/jest/runner.ts',
  testEnvironment: '<rootDir>/test/jest/environment.ts',
  transform: {},
  injectGlobals: false,
  // These belong to the process, which goes on.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
  roots: ['<rootDir>/test', '<rootDir>/packages'],
  cacheDirectory: '<rootDir>/.signalbox/jest',
  // Seconds for a file, from which on the report marks its time.
  slowTestThreshold: 60,
};

export default {
  testSequencer: '<rootDir>/test/jest/sequencer.mjs',
  watchman: false,
  // Any limit keeps test files out of jest's own process, which what they leave would keep alive.
  workerIdleMemoryLimit: '100%',
  // Milliseconds in which a process may end after its last file.
  workerGracefulExitTimeout: 5_000,
  // A bound for broken systems on busy machines; no test waits for it.
  testTimeout: 600_000,
  projects: [
    project('unit', ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'], [SCENARIOS]),
    project('scenarios', [`test/${SCENARIOS}`], [...RELEASE, ...LONG_SCENARIOS]),
    project('release', RELEASE),
    project('long', ['test/long/**/*.long.ts']),
    project('long-scenarios', LONG_SCENARIOS),
    project('node', ['test/node/**/*.real.ts'], LONG_NODE),
    project('node-long', LONG_NODE),
  ],
};

function project(displayName, include, exclude = []) {
  const testMatch = [...include.map((glob) => `<rootDir>/${glob}`), ...exclude.map((glob) => `!**/${glob}`)];
  return { ...NATIVE, displayName, testMatch };
}
