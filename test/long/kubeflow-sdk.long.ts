import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureSandbox, resetSandbox } from '@signalbox/sandbox';
import { findPython, PythonEnvironment, SET_UP_MS } from '../python/environment.ts';
import { type BridgedStage, openBridgedStage } from '../scenarios/bridged-stage.ts';
import { standInForImages } from './kubeflow-images.ts';
import { LONG_SANDBOX_DIR } from './sandbox.ts';

/**
 * The end-to-end tests of Kubeflow's SDK, unchanged, from its wheel: they create, list, edit, watch, log and delete custom
 * resources. The local node runs a program of this checkout for each image.
 */

const SANDBOX_DIR = `${LONG_SANDBOX_DIR}-kubeflow-sdk`;
const KINDS = ['pytorchjob', 'tfjob', 'xgboostjob', 'mpijob', 'paddlejob', 'jaxjob'];
/** The SDK asks every 15 s. */
const ALL_MS = 900_000;

const python = await findPython();
if (!python) console.warn('Skipped Kubeflow’s SDK: this machine has no Python 3.10 or later.');

let on: BridgedStage;
let environment: PythonEnvironment;

(python ? describe : describe.skip)('the tests of Kubeflow’s SDK', () => {
  beforeAll(async () => {
    environment = await PythonEnvironment.ensure(python!, '.venv-kubeflow', 'requirements-kubeflow.txt');
    const gang = ['volcano', 'coscheduling'] as const;
    const options = { dir: SANDBOX_DIR, durable: false, localNode: true, simulatedNodes: 0, gang };
    on = await openBridgedStage({}, { sandbox: await ensureSandbox(options) });
    await standInForImages(on);
  }, SET_UP_MS);

  afterAll(async () => {
    await on?.close();
    await resetSandbox(SANDBOX_DIR);
  });

  it.each([
    ['as they are', 'none', 9],
    ['with gangs on Volcano', 'volcano', 6],
    ['with gangs on Coscheduling', 'scheduler-plugins', 6],
  ])(
    'pass %s',
    async (_, scheduler, count) => {
      // A kind each: they neither count nor name what others have.
      const outputs = await Promise.all(KINDS.map((kind) => testsOf(kind, scheduler)));
      const results = outputs.join('\n').split('\n').filter(isResult);
      console.log(results.join('\n'));
      expect(results.filter((line) => line.startsWith('PASSED'))).toHaveLength(count);
    },
    ALL_MS,
  );
});

const isResult = (line: string) => /^(PASSED|FAILED|ERROR) |=+ .* in .*=+$/.test(line);

/** Runs the tests of a kind. Returns what pytest prints; throws it if a test fails. */
async function testsOf(kind: string, scheduler: string): Promise<string> {
  const packages = await packagesOf(environment);
  const { namespace, sandbox } = on.stage;
  const args = ['-p', 'no:cacheprovider', '-rA', `--namespace=${namespace}`];
  const { code, output } = await environment.module(
    ['pytest', ...args, join(packages, `test/e2e/test_e2e_${kind}.py`)],
    {
      // Python has a package `test` of its own.
      PYTHONPATH: packages,
      KUBECONFIG: sandbox.kubeconfig,
      GANG_SCHEDULER_NAME: scheduler,
    },
  );
  if (code !== 0) throw new Error(output);
  return output;
}

/** The folder that has the wheel's tests. */
async function packagesOf(installed: PythonEnvironment): Promise<string> {
  const { output } = await installed.run(['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
  return output.trim();
}
