// TypeScript runs as it stands: swc strips the types, Node's own ESM loader does the rest.
const base = {
  testEnvironment: '<rootDir>/test/jest-environment.mjs',
  runtime: '<rootDir>/test/jest-runtime.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
  testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/packages/*/test/**/*.test.ts'],
  // A bound for broken systems on busy machines; no test waits for it.
  testTimeout: 120_000,
  modulePathIgnorePatterns: ['<rootDir>/.signalbox', '<rootDir>/dist'],
};
export default base;
