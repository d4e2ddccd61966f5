import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureSandbox, resetSandbox } from '@signalbox/sandbox';
import {
  findPython,
  PYTHON_PACKAGE,
  PythonEnvironment,
  type PythonRun,
  SET_UP_MS,
} from '../python/environment.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { LONG_SANDBOX_DIR } from './sandbox.ts';

/** The wheel in environments outside the tree: each Python that is here, Kubeflow Pipelines, Airflow, and a notebook. */

const VERSIONS = ['3.10', '3.11', '3.12', '3.13'];
const SANDBOX_DIR = `${LONG_SANDBOX_DIR}-python`;

const examples = (name: string) => join(PYTHON_PACKAGE, 'examples', name);
const python = await findPython();
if (!python) console.warn('Skipped the Python package: this machine has no Python 3.10 or later.');

let stage: Stage;
let folder: string;
let wheel: string;

const settings = (job: string) => ({
  TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
  SIGNALBOX_NAMESPACE: stage.namespace,
  JOB_NAME: job,
});

/** Returns what the script printed. */
const printed = ({ code, output }: PythonRun): string => {
  if (code !== 0) throw new Error(output);
  return output;
};

(python ? describe : describe.skip)('the wheel', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-python-'));
    const tools = await PythonEnvironment.ensure(python!);
    printed(await tools.module(['build', '--wheel', '--no-isolation', '--outdir', folder, '.']));
    wheel = join(folder, (await readdir(folder)).find((file) => file.endsWith('.whl'))!);
    const options = { dir: SANDBOX_DIR, durable: false, localNode: true, simulatedNodes: 0, gang: [] };
    stage = await openStage({ sandbox: await ensureSandbox(options) });
    await stage.engine('up');
  }, SET_UP_MS);

  afterAll(async () => {
    await stage?.close();
    await resetSandbox(SANDBOX_DIR);
    await rm(folder, { recursive: true, force: true });
  });

  it.each(VERSIONS)(
    'trains with Python %s, if it is here',
    async (version) => {
      const found = await findPython(programsOf(version));
      if (!found) return console.warn(`Skipped Python ${version}: it is not here.`);
      const environment = await PythonEnvironment.create(found, join(folder, version), [wheel]);
      const job = `wheel-${version.replace('.', '-')}`;
      const output = printed(await environment.run([examples('train_function.py'), job], settings(job)));
      expect(output).toContain('Completed');
    },
    SET_UP_MS,
  );

  it(
    'trains in a notebook',
    async () => {
      const environment = await environmentOf('notebook');
      const output = printed(
        await environment.run([examples('notebook/run_notebook.py')], settings('notebook')),
      );
      expect(output).toContain('the training is Completed');
    },
    SET_UP_MS,
  );

  it(
    'trains in a component of Kubeflow Pipelines',
    async () => {
      const environment = await environmentOf('kubeflow_pipelines');
      const script = examples('kubeflow_pipelines/pipeline.py');
      const output = printed(
        await environment.run([script, 'kfp', join(folder, 'kfp-outputs')], settings('kfp')),
      );
      expect(output).toContain('the training is Completed');
    },
    SET_UP_MS,
  );

  it(
    'trains in a task of Airflow',
    async () => {
      const environment = await environmentOf('airflow');
      const airflow = {
        ...settings('airflow'),
        AIRFLOW_HOME: join(folder, 'airflow-home'),
        AIRFLOW__CORE__DAGS_FOLDER: examples('airflow'),
        AIRFLOW__CORE__LOAD_EXAMPLES: 'False',
      };
      printed(await environment.module(['airflow', 'db', 'migrate'], airflow));
      const output = printed(await environment.run([examples('airflow/training_dag.py')], airflow));
      expect(output).toContain('the run is success');
    },
    SET_UP_MS,
  );
});

/** Programs that may be this version: on the path, and those of pyenv, which are not on it. */
function programsOf(version: string): string[] {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const installed = existsSync(versions) ? readdirSync(versions) : [];
  const matching = installed.filter((name) => name.startsWith(`${version}.`));
  return [`python${version}`, ...matching.map((name) => join(versions, name, 'bin', 'python3'))];
}

const environmentOf = (name: string) =>
  PythonEnvironment.create(python!, join(folder, name), [
    '-r',
    join(examples(name), 'requirements.txt'),
    wheel,
  ]);
