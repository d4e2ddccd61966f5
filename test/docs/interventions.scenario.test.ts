import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensurePrograms } from '@signalbox/sandbox';
import { aManifest, type ClientStage, openClientStage, TASK_QUEUE } from '../client/client-stage.ts';
import { statusOf } from '../status-of.ts';

/** The commands of docs/interventions.md, typed as they stand there. */

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

let page: string;
let stage: ClientStage;
let folder: string;
let temporal: string;
beforeAll(async () => {
  page = await readFile(join(ROOT, 'docs', 'interventions.md'), 'utf8');
  stage = await openClientStage();
  temporal = (await ensurePrograms({ names: ['temporal'] })).temporal;
  folder = await mkdtemp(join(tmpdir(), 'signalbox-docs-'));
  await writeFile(join(folder, 'patch.yaml'), /```yaml\n([^`]*)```/.exec(page)?.[1] ?? '');
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

/** As a shell reads it. */
const type = (line: string) => {
  const programs = `signalbox() { "${process.execPath}" "${ROOT}/cli/bin.mjs" "$@"; }
temporal() { "${temporal}" "$@" --address "$TEMPORAL_ADDRESS"; }`;
  const { address } = stage.server;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TEMPORAL_ADDRESS: address,
    SIGNALBOX_TASK_QUEUE: TASK_QUEUE,
  };
  return run('sh', ['-c', `${programs}\n${line}`], { cwd: folder, env });
};

it('each command of signalbox on the page is valid, and records the request that the page names', async () => {
  const lines = page.match(/^ {4}signalbox .*$/gm) ?? [];
  expect(lines.length).toBeGreaterThanOrEqual(15);
  for (const line of lines) {
    await expect(type(line)).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringContaining('There is no job job/default/train.'),
    });
  }
});

it('each command of Temporal’s own command line records the same request', async () => {
  const job = await stage.client.submit(aManifest('train', 'Running'));
  await type(/^ {4}temporal [^\n]*\\\n.*$/m.exec(page)?.[0] ?? '');
  const { timeline } = await statusOf(job);
  expect(timeline.at(-1)?.cause).toBe('extendDeadline {"seconds":7200,"by":"ana","why":"one more epoch"}');
});
