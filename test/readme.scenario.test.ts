import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openStage, type Stage } from './scenarios/stage.ts';

/** The README's commands, typed as they stand there, against the sandbox that the scenarios share. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MARK = '<!-- commands that a test runs, in this order -->';
const run = promisify(execFile);

let stage: Stage;
let commands: string[][];

beforeAll(async () => {
  const readme = await readFile(`${ROOT}/README.md`, 'utf8');
  const block = readme.split(MARK)[1]!.match(/```sh\n([^`]*)```/)![1]!;
  commands = block
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*/, '').split(' '));
  stage = await openStage();
  await stage.engine('up');
});

afterAll(() => stage.close());

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
    TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
    SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
    SIGNALBOX_NAMESPACE: stage.namespace,
  };
  const { stdout, stderr } = await run('npx', ['signalbox', ...args], { cwd: ROOT, env });
  return stdout + (args.includes('--follow') ? stderr : '');
}
