import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensurePrograms } from '@signalbox/sandbox';
import { eventually } from '../eventually.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { shellBlocks } from './page-blocks.ts';

/** The commands of docs/temporal.md, typed as they stand there, in a namespace of their own. */

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

let stage: Stage;
let folder: string;
let commands: string[];

beforeAll(async () => {
  stage = await openStage();
  await stage.engine('up');
  folder = await mkdtemp(join(tmpdir(), 'signalbox-docs-'));
  const { temporal } = await ensurePrograms({ names: ['temporal'] });
  await symlink(temporal, join(folder, 'temporal'));
  const job = simulatedJob({ name: 'train', namespace: stage.namespace });
  const metadata = { ...job.metadata, labels: { team: 'vision' } };
  await writeFile(join(folder, 'train.json'), JSON.stringify({ ...job, metadata }));
  commands = commandsOf(await readFile(join(ROOT, 'docs', 'temporal.md'), 'utf8'));
});

afterAll(async () => {
  for await (const { workflowId } of stage.client.list({ namespace: stage.namespace }))
    await stage.temporal.workflow
      .getHandle(workflowId)
      .terminate()
      .catch(() => undefined);
  await rm(folder, { recursive: true });
  await stage.close();
});

/** Returns the commands of the blocks that are run. A line that ends with a backslash goes on. */
function commandsOf(page: string): string[] {
  return shellBlocks(page)
    .flatMap((lines) => lines.trim().split(/(?<!\\)\n/))
    .map((command) => command.replaceAll('default', stage.namespace));
}

const type = async (command: string): Promise<string> => {
  const shell = `signalbox() { "${process.execPath}" "${ROOT}/cli/bin.mjs" "$@"; }\n${command}`;
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: folder,
    TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
    SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
    SIGNALBOX_NAMESPACE: stage.namespace,
  };
  return withDecoded((await run('sh', ['-c', shell], { cwd: folder, env })).stdout);
};

/** The command line prints summaries as Base64. */
const withDecoded = (text: string) =>
  text + [...text.matchAll(/"data": "([^"]+)"/g)].map(([, data = '']) => atob(data)).join('\n');

/** What some commands print, by a part of them. The others need only succeed. */
const PRINTED: readonly (readonly [command: string, printed: RegExp])[] = [
  ['--type status', /PyTorchJob/],
  ['--type source', /pytorchReplicaSpecs/],
  ['workflow metadata', /What you can do/],
  ['workflow describe', /JobPhase/],
  ['workflow show', /Check the manifest, take the name/],
  ['JobLabels = "team=vision"\'', /trainingJob/],
  ['JobPhase = "Running"', /trainingJob/],
  ['JobSubmittedBy', /trainingJob/],
  ['workflow count', /Running/],
  ['workflow result', /"?Stopped/],
  ['schedule list', /0 2 \* \* \* \(Europe\/Berlin\)/],
  ['schedule get', /queue-one/],
  ['schedule describe', /BufferOne/],
];

it('each command of the page does what the page says', async () => {
  expect(commands.length).toBeGreaterThan(25);
  for (const command of commands) {
    const [, printed] = PRINTED.find(([part]) => command.includes(part)) ?? [];
    // A worker has to begin the job, and Temporal indexes what a list finds a moment later.
    const isLate = /workflow (query|metadata|list|count)/.test(command);
    if (!printed) await type(command);
    else if (!isLate) expect(await type(command)).toMatch(printed);
    else await eventually(command, async () => printed.test(await type(command)));
  }
  expect(PRINTED.filter(([part]) => !commands.some((command) => command.includes(part)))).toEqual([]);
});
