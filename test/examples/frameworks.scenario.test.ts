import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { MPI_SOCKETS, readExample } from './manifests.ts';

/**
 * The examples with real frameworks run where this machine has them; elsewhere they are skipped, and counted as skipped.
 */

const succeeds = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;
/** Looks for it only: some take seconds to load. */
const FIND = 'import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)';
const hasModule = (name: string) => succeeds('python3', '-c', FIND, name);
const hasMpi = () => succeeds('mpirun', '--version') && hasModule('mpi4py');

const EXAMPLES = [
  { path: 'pytorch/ddp-torch/job.yaml', framework: 'torch', isThere: hasModule('torch') },
  { path: 'tensorflow/ddp-tensorflow/job.yaml', framework: 'tensorflow', isThere: hasModule('tensorflow') },
  { path: 'xgboost/trees-xgboost/job.yaml', framework: 'xgboost', isThere: hasModule('xgboost') },
  { path: 'jax/ddp-jax/job.yaml', framework: 'jax', isThere: hasModule('jax') },
  { path: 'paddle/ddp-paddle/job.yaml', framework: 'paddle', isThere: hasModule('paddle') },
  { path: 'paddle-operator/ddp-paddle/job.yaml', framework: 'paddle', isThere: hasModule('paddle') },
  { path: 'mpi/allreduce-mpi/job.yaml', framework: 'mpirun and mpi4py', isThere: hasMpi() },
  { path: 'mpi-v2/allreduce-mpi/job.yaml', framework: 'mpirun and mpi4py', isThere: hasMpi() },
];
const FOUND = EXAMPLES.filter(({ isThere }) => isThere);
const MISSING = EXAMPLES.filter(({ isThere }) => !isThere);

let stage: Stage;
let sockets: string;

beforeAll(async () => {
  if (FOUND.length === 0) return;
  sockets = await mkdtemp(join(tmpdir(), 'signalbox-mpi-'));
  stage = await openStage();
  await stage.engine('up');
});

afterAll(async () => {
  if (FOUND.length === 0) return;
  await stage.close();
  await rm(sockets, { recursive: true, force: true });
});

describe('an example with a real framework', () => {
  const trains = 'trains, and all processes end with the same model';

  (FOUND.length > 0 ? it.each(FOUND) : it.skip.each(FOUND))(`$path ${trains}`, async ({ path }) => {
    const manifest = await readExample(path, (text) => text.replace(MPI_SOCKETS, sockets));
    const metadata = { ...manifest.metadata, namespace: stage.namespace };
    const job = await stage.client.submit({ ...manifest, metadata });
    const { phase, restarts } = await job.wait();
    const lines: string[] = [];
    for await (const { text } of job.logs()) lines.push(text);
    expect({ phase, restarts, lines }).toMatchObject({ phase: 'Completed', restarts: 0 });
    const losses = lines.flatMap((line) => /loss=([\d.]+)/.exec(line)?.[1] ?? []).map(Number);
    expect(losses.at(-1)).toBeLessThan(losses[0]!);
    expect(lines.join('\n')).toMatch(/done: all \d (ranks|tasks|processes) hold the same (weights|model)/);
  });

  it.skip.each(MISSING)(
    `$path ${trains}: needs $framework, which this machine does not have`,
    () => undefined,
  );
});
