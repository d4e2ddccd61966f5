import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Globals from '@jest/globals';
import { setGlobals } from './globals.ts';

const require = createRequire(import.meta.url);
const GLOBALS = new URL('globals.ts', import.meta.url).href;

registerHooks({
  resolve: (name, context, next) =>
    name === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(name, context),
});

/** What this file needs of jest's runtime, which loads the modules of one test file. */
interface Runtime {
  setGlobalsForRuntime(globals: unknown): void;
  requireModuleOrMock(from: string, name: '@jest/globals'): typeof Globals;
}

/**
 * The `testRunner` of jest.config.mjs. It runs a test file as jest-circus does, except that Node loads the file and what it
 * imports. Jest would load every module anew for each test file; here the files of a process share modules.
 */
export default async function runFile(
  globalConfig: unknown,
  config: unknown,
  environment: unknown,
  runtime: Runtime,
  path: string,
  ...rest: readonly unknown[]
): Promise<unknown> {
  const setGlobalsForRuntime = runtime.setGlobalsForRuntime.bind(runtime);
  Object.assign(runtime, {
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (file: string) => import(pathToFileURL(file).href),
    requireInternalModule: requireAnew,
    setGlobalsForRuntime(globals: unknown) {
      setGlobalsForRuntime(globals);
      setGlobals(runtime.requireModuleOrMock(path, '@jest/globals'));
    },
  });
  return require('jest-circus/runner').default(globalConfig, config, environment, runtime, path, ...rest);
}

/** The part of jest-circus that keeps the tests of a file and their results: each file needs a new one. */
function requireAnew(file: string): unknown {
  delete require.cache[file];
  // One for all files would hold on to each module that it loaded.
  return createRequire(import.meta.url)(file);
}
