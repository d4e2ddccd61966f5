import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as errors from '../../client/errors/errors.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { signalbox } from '../cli/process.ts';
import { type ArchiveStage, openArchiveStage } from '../scenarios/archive-stage.ts';

/** docs/client.md as a stranger runs it: the examples as they stand, and the variables that `sandbox up` prints. */

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

let page: string;
let folder: string;
let on: ArchiveStage;
beforeAll(async () => {
  page = await readFile(join(ROOT, 'docs', 'client.md'), 'utf8');
  const [before, archive, after] = page.split(/^(?=## Read the archive$|## Errors$)/m).map(examplesIn);
  on = await openArchiveStage({ localNode: true });
  await on.engine().start(on.settings);
  await on.stage.cluster.create(CONFIG_MAPS, {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'lanes', namespace: on.stage.namespace } },
    data: { 'lanes.yaml': 'lanes: { research: { capacity: { pods: 4 } } }' },
  });
  // Below the checkout, as the program needs its libraries.
  await mkdir(join(ROOT, '.signalbox'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.signalbox', 'client-page-'));
  await writeFile(join(folder, 'page.ts'), programOf([...before!, ...after!]));
  await writeFile(join(folder, 'archive.ts'), programOf([before![0]!, ...archive!]));
});
afterAll(async () => {
  await on?.close();
  await rm(folder, { recursive: true });
});

const examplesIn = (text: string) =>
  [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, example]) => example!);

/** The package is not installed here. */
const programOf = (examples: readonly string[]) =>
  examples.join('\n').replaceAll(`'signalbox'`, `'../../client/index.ts'`);

/** The variables of a sandbox, and a namespace for this test in Kubernetes and in Temporal. */
const env = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SIGNALBOX_'))),
  ...{ NODE_OPTIONS: '', KUBECONFIG: on.stage.sandbox.kubeconfig },
  ...{ TEMPORAL_ADDRESS: on.stage.sandbox.temporalAddress, SIGNALBOX_ARCHIVE_DIR: on.directory },
  ...{ TEMPORAL_NAMESPACE: on.temporalNamespace, SIGNALBOX_NAMESPACE: on.stage.namespace },
  SIGNALBOX_LANES: `${on.stage.namespace}/lanes`,
});

/** A program that hangs shows how far it came. */
async function outputOf(file: string): Promise<string> {
  const options = { cwd: folder, env: env(), timeout: 180_000 };
  const { stdout, stderr } = await run(process.execPath, [file], options).catch((error) => error);
  return `${stdout}${stderr}`;
}

/** What a command of the page prints. */
async function typed(command: string): Promise<string> {
  expect(page).toContain(`\nnpx signalbox ${command}`);
  const { stdout, stderr, code } = await signalbox(command.split(' '), { env: env() });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('docs/client.md', () => {
  it('has examples that run in the order of the page', async () => {
    const output = await outputOf('page.ts');
    const job = `job/${on.stage.namespace}`;
    for (const line of [
      new RegExp(`^${job}/train [-0-9a-f]{36} started$`, 'm'),
      /^Running /m,
      /^train-master-0 step \d+$/m,
      /nightly-pipeline \{ team: 'vision' \} nightly-2026-11-23$/m,
      /^stopped by ana because of wrong learning rate$/m,
      /^PodFailed program$/m,
      /^fails-master-0 \S+ pytorch 3 undefined undefined file:\S+$/m,
      /^fails-master-0 3 \[ 'broken' \]$/m,
      /^created$/m,
      /^InvalidManifest The manifest has /m,
    ]) {
      expect(output).toMatch(line);
    }
  });

  it('has an example that reads the archive', async () => {
    await typed('archive --all --wait');
    await writeFile(join(folder, 'archive.pub'), await typed('audit key'));
    const output = await outputOf('archive.ts');
    for (const line of [
      new RegExp(`^job/${on.stage.namespace}/train Stopped \\d{4}-\\S+Z$`, 'm'),
      /^Stopped 2 nodes:/m,
      /^\S+ stopped by ana: wrong learning rate$/m,
      /^intact: true \[\]$/m,
    ]) {
      expect(output).toMatch(line);
    }
  });

  it.each(['page.ts', 'archive.ts'])('has examples with the right types: %s', async (file) => {
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'];
    const forNode = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node', '--ignoreConfig'];
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const args = [compiler, ...options, ...forNode, join(folder, file)];
    const { stdout } = await run(process.execPath, args).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('lists every error with its code', () => {
    for (const [name, { code }] of Object.entries(errors))
      expect(page).toContain(`| \`${code}\` | \`${name}\` |`);
  });
});
