import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensurePrograms } from '@signalbox/sandbox';
import { deleteDefinitions, openKubectl } from './scenarios/kubectl.ts';
import { openStage, type Stage } from './scenarios/stage.ts';

/** The README's commands, typed as they stand there, against the sandbox that the scenarios share. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MARK = '<!-- commands that a test runs, in this order -->';
const MARK_OF_KUBECTL = '<!-- commands that a test runs after these -->';
const run = promisify(execFile);

let stage: Stage;
let folder: string;
let commands: string[][];
let ofKubectl: string[][];

beforeAll(async () => {
  const readme = await readFile(`${ROOT}/README.md`, 'utf8');
  [commands, ofKubectl] = [commandsBelow(readme, MARK), commandsBelow(readme, MARK_OF_KUBECTL)];
  stage = await openStage();
  folder = await mkdtemp(join(tmpdir(), 'signalbox-readme-'));
  await type(['sandbox', 'up']);
  await stage.engine('up');
});

afterAll(async () => {
  const kubectl = await openKubectl(stage);
  await kubectl('delete', 'training', '--all');
  await stage.close();
  await deleteDefinitions(kubectl);
  await rm(folder, { recursive: true });
});

const commandsBelow = (page: string, mark: string): string[][] =>
  page
    .split(mark)[1]!
    .match(/```sh\n([^`]*)```/)![1]!
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*/, '').split(' '));

it('the commands of the README work one after the other', async () => {
  expect(commands.length).toBeGreaterThanOrEqual(6);
  const printed: string[] = [];
  for (const [npx, signalbox, ...args] of commands) {
    expect([npx, signalbox]).toEqual(['npx', 'signalbox']);
    printed.push(await type(args));
  }
  expect(printed[0]).toContain('Completed');
  expect(printed[1]).toContain('PyTorchJob');
  expect(printed[2]).toContain('every replica that decides the outcome has succeeded');
  expect(printed[3]).toContain('hold the same weights');
  expect(printed[4]).toContain('ddp-node');
  expect(JSON.parse(printed[5]!)).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'ddp-node' })]),
  );
});

it('kubectl starts a job and waits for it', async () => {
  expect(ofKubectl.map(([program, verb]) => `${program} ${verb}`)).toEqual([
    ...['kubectl apply', 'kubectl wait', 'kubectl get'],
  ]);
  const { kubectl } = await ensurePrograms({ names: ['kubectl'] });
  const env = { ...process.env, KUBECONFIG: await kubeconfigOfNamespace() };
  let printed = '';
  for (const [, ...args] of ofKubectl) printed = (await run(kubectl, args, { cwd: ROOT, env })).stdout;
  expect(printed).toMatch(/^tfjob\.kubeflow\.org\/tf-rendezvous +Completed/m);
});

/** As the sandbox's, but for the namespace of this test. */
async function kubeconfigOfNamespace(): Promise<string> {
  const config = JSON.parse(await readFile(stage.sandbox.kubeconfig, 'utf8')) as {
    contexts: readonly { context: object }[];
  };
  for (const { context } of config.contexts) Object.assign(context, { namespace: stage.namespace });
  const file = join(folder, 'kubeconfig');
  await writeFile(file, JSON.stringify(config));
  return file;
}

it('mistakes cause a message and an exit code', async () => {
  await expect(type(['get', 'nobody'])).rejects.toMatchObject({
    code: 3,
    stderr: expect.stringContaining('nobody'),
  });
  await expect(type(['submit', 'no-such-file.yaml'])).rejects.toMatchObject({
    stderr: expect.stringContaining('no-such-file.yaml'),
  });
  await expect(type(['sumbit'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('submit'),
  });
});

async function type(args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    SIGNALBOX_SANDBOX_DIR: stage.sandbox.dir,
    TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
    SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
    SIGNALBOX_NAMESPACE: stage.namespace,
  };
  const { stdout, stderr } = await run('npx', ['signalbox', ...args], { cwd: ROOT, env });
  return stdout + (args.includes('--follow') ? stderr : '');
}
