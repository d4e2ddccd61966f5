import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resetSandbox } from '@signalbox/sandbox';
import { ADMISSION_POLICIES } from '../../client/manifests/offline/definitions.ts';
import { errorMessage } from '../../language/error-message.ts';
import { eventually } from '../eventually.ts';
import { findPython, PythonEnvironment, SET_UP_MS } from '../python/environment.ts';
import { type BridgedStage, openBridgedStage } from '../scenarios/bridged-stage.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { standInForImages } from './kubeflow-images.ts';
import { freshSandbox, LONG_SANDBOX_DIR } from './sandbox.ts';

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
    on = await openBridgedStage({}, { sandbox: await freshSandbox(options) });
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
    async (_, scheduler, count) => expect(await passedWith(scheduler)).toHaveLength(count),
    ALL_MS,
  );

  it(
    'pass beside the policies of `signalbox crds --policies`',
    async () => {
      const misnamed = simulatedJob({ name: 'pro.be', namespace: on.stage.namespace });
      await on.kubectl.apply([...ADMISSION_POLICIES.rules(), ...ADMISSION_POLICIES.warnings()]);
      await eventually('the policies are in force', async () => {
        const said = await on.kubectl.apply([misnamed], '--dry-run=server').catch(errorMessage);
        return said.includes('metadata.name: expected');
      });
      expect(await passedWith('none')).toHaveLength(9);
    },
    ALL_MS,
  );
});

/** Returns the tests that pass; throws if one fails. A kind each: they neither count nor name what others have. */
async function passedWith(scheduler: string): Promise<readonly string[]> {
  const outputs = await Promise.all(KINDS.map((kind) => testsOf(kind, scheduler)));
  const results = outputs.join('\n').split('\n').filter(isResult);
  console.log(results.join('\n'));
  return results.filter((line) => line.startsWith('PASSED'));
}

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
