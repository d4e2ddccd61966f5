import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { type ExampleManifest, MPI_SOCKETS, readExample, withArgument, withVariable } from './manifests.ts';
import { EXAMPLES } from './rendezvous.ts';

/**
 * The examples that need nothing but Node, as they are, on the local node: each checks all variables and files of its
 * kind, and its pods meet. And each once with something wrong, which it must notice.
 */

/** Files cannot be given wrongly by a manifest: here it is the program that expects something else. */
const FILES = [
  { path: 'mpi/rendezvous-node/job.yaml', argument: '--slots=3', says: 'hostfile: expected' },
  { path: 'mpi-v2/rendezvous-node/job-intel.yaml', argument: '--worker=3', says: 'hostfile: expected' },
];

let stage: Stage;
let sockets: string;
const jobs = new Map<string, JobHandle>();

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  sockets = await mkdtemp(join(tmpdir(), 'signalbox-mpi-'));
  const right = await Promise.all(EXAMPLES.map(async ({ path }) => [path, await read(path)] as const));
  const manifests = new Map(right);
  const wrong = EXAMPLES.map(({ path, variable: { role, name, value } }) => {
    return [`${path} ${name}`, withVariable(manifests.get(path)!, role, name, value)] as const;
  });
  const other = FILES.map(({ path, argument }) => {
    return [`${path} ${argument}`, withArgument(manifests.get(path)!, 'Launcher', argument)] as const;
  });
  await Promise.all([...right, ...wrong, ...other].map(([id, manifest]) => submit(id, manifest)));
});

afterAll(async () => {
  await stage.close();
  await rm(sockets, { recursive: true, force: true });
});

const read = (path: string) => readExample(path, (text) => text.replace(MPI_SOCKETS, sockets));

async function submit(id: string, manifest: ExampleManifest): Promise<void> {
  const metadata = { ...manifest.metadata, namespace: stage.namespace };
  const job = await stage.client.submit({ ...manifest, metadata });
  jobs.set(id, job);
}

async function logOf(job: JobHandle): Promise<string> {
  const lines: string[] = [];
  for await (const { pod, text } of job.logs({ all: true })) lines.push(`${pod} ${text}`);
  return lines.join('\n');
}

describe('an example', () => {
  it.each(EXAMPLES)('$path has the expected environment, and its pods connect', async ({ path }) => {
    const job = jobs.get(path)!;
    const { phase, restarts } = await job.wait();
    const log = await logOf(job);
    expect({ phase, restarts, log }).toEqual({
      phase: 'Completed',
      restarts: 0,
      log: expect.stringMatching(/met .*-\d/),
    });
  });

  it.each(EXAMPLES)('$path fails with a wrong $variable.name', async ({ path, variable: { name } }) => {
    const job = jobs.get(`${path} ${name}`)!;
    const { phase } = await job.wait();
    expect({ phase, log: await logOf(job) }).toEqual({
      phase: 'Failed',
      log: expect.stringContaining(`${name}: expected`),
    });
  });

  it.each(FILES)('$path fails with a wrong file of $argument', async ({ path, argument, says }) => {
    const job = jobs.get(`${path} ${argument}`)!;
    const { phase } = await job.wait();
    expect({ phase, log: await logOf(job) }).toEqual({ phase: 'Failed', log: expect.stringContaining(says) });
  });
});
