import config, { NATIVE } from '../../../jest.config.mjs';

const { projects: _, ...common } = config;

/** Test files of which most fail, for test/jest/runner.program.test.ts. */
export default { ...common, ...NATIVE, testMatch: ['<rootDir>/test/jest/probes/*.probe.ts'] };
