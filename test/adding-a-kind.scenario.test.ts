import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Engine } from '../demo/engine.ts';
import { openStage, type Stage } from './scenarios/stage.ts';

/** The page tells how to add a kind; here it is done, with what the page says and nothing more. */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What is in the image, and what makes it. */
const PARTS = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

const blocks = codeBlocks(readFileSync(join(ROOT, 'frameworks/README.md'), 'utf8'));
const [kind, importLine, registryLine, manifest, golden] = blocks;

let copy: string;
let stage: Stage;
let engine: Engine;

beforeAll(async () => {
  copy = copyOfSignalbox();
  writeFileSync(join(copy, 'frameworks/kinds/relay.ts'), kind!);
  const registry = join(copy, 'frameworks/kinds/registry.ts');
  const before = readFileSync(registry, 'utf8');
  writeFileSync(
    registry,
    before
      .replace('import type { Framework }', `${importLine}import type { Framework }`)
      .replace(/FRAMEWORKS: readonly Framework\[\] = \[\n/, (start) => start + registryLine),
  );
  stage = await openStage();
  const logFile = join(stage.sandbox.dir, 'engines', 'adding-a-kind.log');
  engine = await new Engine('up', stage.sandbox, { logFile, bin: join(copy, 'cli/bin.mjs') }).start();
});

afterAll(async () => {
  await engine?.stop();
  await stage?.close();
  if (copy) rmSync(copy, { recursive: true, force: true });
});

describe('a kind added as the page describes', () => {
  it('runs to Completed, with the pods of its golden case', async () => {
    const job = await stage.client.submit(parse(manifest!));
    const outcome = await job.wait();
    expect(outcome).toMatchObject({ phase: 'Completed', kind: 'RelayJob' });
    expect(outcome.conditions.at(-1)?.message).toBe(
      `RelayJob ${stage.namespace}/sprint successfully completed.`,
    );
    expect(await stage.pod('sprint-runner-1')).toMatchObject(parse(golden!) as object);
  });

  it('is refused with the paths of its faults', async () => {
    const broken = parse(
      manifest!.replace('laps: 3', 'laps: 0').replace('name: sprint', 'name: false-start'),
    );
    const job = await stage.client.submit(broken);
    expect((await job.wait()).cause).toEqual({
      reason: 'InvalidManifest',
      message: 'spec.laps: expected an integer >= 1, got 0',
    });
  });
});

/** Beside this one, so that it finds the same libraries. */
function copyOfSignalbox(): string {
  const folder = mkdtempSync(join(ROOT, '.signalbox', 'adding-a-kind-'));
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function codeBlocks(page: string): string[] {
  return [...page.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, text]) => text!);
}
