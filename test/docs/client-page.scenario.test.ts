import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sandboxLayout } from '@signalbox/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as errors from '../../client/errors.ts';
import { archiveKey } from '../../record/archive/archive-key.ts';
import { signerOf } from '../../record/log/signer.ts';
import { type ArchiveStage, openArchiveStage } from '../scenarios/archive-stage.ts';
import { localJob } from '../scenarios/local-jobs.ts';
import type { Stage } from '../scenarios/stage.ts';

/** The examples of docs/client.md, one after the other in one program, against the real servers. */

/** Default of SIGNALBOX_ARCHIVE_NAME. */
const ORIGIN = 'signalbox.local/archive';
const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

let page: string;
let folder: string;
let on: ArchiveStage;
let stage: Stage;
beforeAll(async () => {
  page = await readFile(join(ROOT, 'docs', 'client.md'), 'utf8');
  on = await openArchiveStage({ localNode: true });
  ({ stage } = on);
  await on.engine().start(on.settings);
  // Below the checkout, as the program needs its libraries.
  await mkdir(join(ROOT, '.signalbox'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.signalbox', 'client-page-'));
  const { namespace } = stage;
  const runPolicy = { activeDeadlineSeconds: 3_600 };
  const counts = 'n=0; while :; do echo "step $n"; n=$((n + 1)); sleep 0.2; done';
  const train = localJob({ name: 'train', namespace, script: counts, workers: 1, runPolicy });
  const fails = localJob({ name: 'fails', namespace, script: 'echo broken; exit 3', restartPolicy: 'Never' });
  await writeFile(join(folder, 'train.yaml'), JSON.stringify(train));
  await writeFile(join(folder, 'fails.yaml'), JSON.stringify(fails));
});
afterAll(async () => {
  await on?.close();
  await rm(folder, { recursive: true });
});

/** The page's program, with the addresses of the test in place of the page's. */
async function writeProgram(): Promise<string> {
  const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text!);
  expect(examples.length).toBeGreaterThanOrEqual(12);
  await writeFile(join(folder, 'archive.pub'), await publicKeyOf(on.directory));
  const replaced: readonly (readonly [string, string])[] = [
    [`'signalbox'`, `'../../client/index.ts'`],
    [`'localhost:7233'`, `'${stage.sandbox.temporalAddress}'`],
    [`'default'`, `'${on.temporalNamespace}'`],
    [`'ml'`, `'${stage.namespace}'`],
    [`'/var/lib/signalbox/evidence'`, `'${sandboxLayout(stage.sandbox.dir).evidence}'`],
    [`const archive = `, `${untilArchived(on.directory)}const archive = `],
    [`'/var/lib/signalbox/archive'`, `'${on.directory}'`],
  ];
  const program = replaced.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  }, examples.join('\n'));
  const file = join(folder, 'program.ts');
  await writeFile(file, program);
  return file;
}

/** Archivers need some seconds, and enter what they archived into the log a moment later. */
const untilArchived = (directory: string) => `
for (let isThere = false; !isThere; await new Promise((resolve) => setTimeout(resolve, 100))) {
  try {
    const found = await (await openArchive('${directory}')).find({ namespace: '${stage.namespace}', name: 'train' });
    isThere = (await found.verify({ publicKey: await readFile('archive.pub', 'utf8') })).isIntact;
  } catch (error) {
    if (!['ArchiveAway', 'JobNotFound'].includes(error instanceof SignalboxError ? error.code : '')) throw error;
  }
}
`;

/** The first one who needs the key makes it: a worker, or this. */
async function publicKeyOf(directory: string): Promise<string> {
  const { pem, place } = await archiveKey({ store: { store: 'files', directory }, name: ORIGIN });
  return signerOf(pem, { origin: ORIGIN, place }).keys[0]!.verifier.text;
}

describe('docs/client.md', () => {
  it('has examples that run in the order of the page', async () => {
    const file = await writeProgram();
    const env = { ...process.env, NODE_OPTIONS: '', KUBECONFIG: stage.sandbox.kubeconfig };
    // A program that hangs shows how far it came.
    const { stdout, stderr } = await run(process.execPath, [file], {
      cwd: folder,
      env,
      timeout: 180_000,
    }).catch((error) => error);
    expect(`${stdout}${stderr}`).toMatch(/^InvalidManifest The manifest has /m);
    const namespaced = (name: string) => `job/${stage.namespace}/${name}`;
    for (const line of [
      new RegExp(`^${namespaced('train')} [-0-9a-f]{36} started$`, 'm'),
      /^Running /m,
      /^train-master-0 step 3$/m,
      /nightly-pipeline \{ team: 'vision' \} nightly-2026-11-23$/m,
      /^stopped by ana because of wrong learning rate$/m,
      /^PodFailed program$/m,
      /^fails-master-0 \S+ pytorch 3 undefined file:\S+$/m,
      /^fails-master-0 3 \[ 'broken' \]$/m,
      /^created$/m,
      new RegExp(`^${namespaced('train')} Stopped \\d{4}-\\S+Z$`, 'm'),
      /^Stopped 2 nodes:/m,
      /^\S+ stopped by ana: wrong learning rate$/m,
      /^intact: true \[\]$/m,
      /^InvalidManifest The manifest has /m,
    ]) {
      expect(stdout).toMatch(line);
    }
  });

  it('has examples with the right types', async () => {
    const file = await writeProgram();
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'];
    const forNode = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node', '--ignoreConfig'];
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [compiler, ...options, ...forNode, file]).catch(
      (error) => error,
    );
    expect(stdout).toBe('');
  });

  it('has every error with its code', () => {
    for (const [name, { code }] of Object.entries(errors))
      expect(page).toContain(`| \`${code}\` | \`${name}\` |`);
  });
});
