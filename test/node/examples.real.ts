import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { MPI_SOCKETS, readExample } from '../examples/manifests.ts';
import { EXAMPLES } from '../examples/rendezvous.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** The examples of every kind that need nothing but Node, as they are, on real nodes and real names. */

const PATHS = [...EXAMPLES.map(({ path }) => path), 'pytorch/ddp-node/job.yaml'];

describeOnNodes('an example on real nodes', () => {
  let stage: RealStage;
  let sockets: string;
  const jobs = new Map<string, JobHandle>();

  beforeAll(async () => {
    stage = await openRealStage();
    sockets = await mkdtemp(join(tmpdir(), 'signalbox-mpi-'));
    await stage.engine('up');
    for (const path of PATHS) {
      const manifest = await readExample(path, (text) => text.replace(MPI_SOCKETS, sockets));
      const metadata = { ...manifest.metadata, namespace: stage.namespace };
      jobs.set(path, await stage.client.submit({ ...manifest, metadata }));
    }
  });

  afterAll(async () => {
    await stage.close();
    await rm(sockets, { recursive: true, force: true });
  });

  it.each(PATHS)('%s is Completed at the first try', async (path) => {
    const job = jobs.get(path)!;
    const { phase, restarts, cause, timeline } = await job.wait();
    const phases = timeline.map((entry) => entry.phase);
    expect(phases.slice(phases.indexOf('Running'))).not.toContain('Starting');
    const lines: string[] = [];
    for await (const { pod, text } of job.logs({ all: true })) lines.push(`${pod} ${text}`);
    const log = lines.join('\n');
    expect({ phase, restarts, cause, log }).toMatchObject({
      phase: 'Completed',
      restarts: 0,
      log: expect.stringMatching(/met .*-\d|checksum \w+/),
    });
  });
});
