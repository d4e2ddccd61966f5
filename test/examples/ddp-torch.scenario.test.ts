import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { openStage, type Stage } from '../scenarios/stage.ts';

/** The example with real torch runs where python3 has it; elsewhere the test is skipped, and counted as skipped. */

const JOB = fileURLToPath(new URL('../../examples/pytorch/ddp-torch/job.yaml', import.meta.url));
const hasTorch = spawnSync('python3', ['-c', 'import torch'], { stdio: 'ignore' }).status === 0;
const itWithTorch = hasTorch ? it : it.skip;

let stage: Stage;

beforeAll(async () => {
  if (!hasTorch) return;
  stage = await openStage();
  await stage.engine('up');
});

afterAll(() => stage?.close());

itWithTorch('three processes train with torch over gloo, and end with the same weights', async () => {
  const manifest = parse(await readFile(JOB, 'utf8')) as { metadata: object };
  const { job } = await stage.client.submit({
    ...manifest,
    metadata: { ...manifest.metadata, namespace: stage.namespace },
  });
  const lines: string[] = [];
  const log = (async () => {
    for await (const { text } of job.logs({ follow: true })) lines.push(text);
  })();
  const { phase, restarts } = await job.wait();
  await log;
  expect({ phase, restarts }).toEqual({ phase: 'Completed', restarts: 0 });
  const losses = lines.flatMap((line) => /loss=([\d.]+)/.exec(line)?.[1] ?? []).map(Number);
  expect(losses.at(-1)).toBeLessThan(losses[0]!);
  expect(lines.at(-1)).toContain('hold the same weights');
});
