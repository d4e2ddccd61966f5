import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { hasPodEnded } from '../../contracts/pod.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { untilStatus } from './attempts.ts';
import { readCase } from './cases.ts';
import { type Manifest, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilLeft, untilPhase } from './stage.ts';

/** Whether a program runs and how it ended is seen at its main container, whatever runs beside it. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const caseOf = (name: string) => readCase(`sidecar-outlives-program/${name}`, stage.namespace);

async function submit(name: string): Promise<JobHandle> {
  return stage.client.submit(await caseOf(name));
}

/** The case with another name and another text in its scripts. */
async function variant(file: string, name: string, [from, to]: readonly [string, string]): Promise<Manifest> {
  const manifest = await caseOf(file);
  const spec = JSON.parse(JSON.stringify(manifest.spec).replaceAll(from, to)) as Manifest['spec'];
  return { ...manifest, metadata: { ...manifest.metadata, name }, spec };
}

async function phasesOf(job: JobHandle): Promise<readonly string[]> {
  const phases = (await statusOf(job)).timeline.map(({ phase }) => phase);
  return phases.filter((phase, index) => phase !== phases[index - 1]);
}

describe('a job whose programs have ended while sidecars run', () => {
  it.concurrent('is Completed, and leaves no sidecar running', async () => {
    const job = await submit('finished');
    await expect(job.wait()).resolves.toMatchObject({ phase: 'Completed' });
    expect(await stage.pods('mesh')).toEqual([]);
  });

  it.concurrent('is Failed if a program has failed, with a message about what still ran', async () => {
    const job = await stage.client.submit(
      await variant('finished', 'mesh-fails', ['training done; exit 0', 'no data; exit 7']),
    );
    const { phase, cause } = await job.wait();
    expect(phase).toBe('Failed');
    expect(cause).toMatchObject({ reason: 'PodFailed', container: 'pytorch', exitCode: 7 });
    expect(cause?.message).toContain('container pytorch exited with code 7 (Error); mesh-proxy still runs');
    for await (const { summary, containers } of job.evidence()) {
      expect(summary).toMatchObject({ pod: 'mesh-fails-master-0', container: 'pytorch', exitCode: 7 });
      expect(containers.find(({ name }) => name === 'pytorch')?.log?.lines).toEqual(['no data']);
    }
    await untilLeft(stage, 'mesh-fails', ['ConfigMap/mesh-fails.signalbox']);
  });

  it.concurrent('waits for the sidecars if its policy says so, with a message', async () => {
    const patient = await variant('finished', 'mesh-waits', ['training done', 'trained']);
    const job = await stage.client.submit(withPolicy(patient, { waitForSidecars: true }));
    const { phase, warnings } = await untilStatus(job, 'it says what it waits for', (status) =>
      status.warnings.some((warning) => warning.includes('and 2 more')),
    );
    expect(phase).toBe('Running');
    expect(warnings).toEqual([expect.stringContaining('mesh-proxy still runs: the job waits for it')]);
    await job.stop({});
    await job.wait();
  });

  it.concurrent('ends its sidecars also where a program ends after the job', async () => {
    const job = await stage.client.submit(
      await variant('finished', 'mesh-late', ['echo worker done', 'sleep 4; echo worker done']),
    );
    await expect(job.wait()).resolves.toMatchObject({ phase: 'Completed' });
    await eventually('only ended pods are left', async () =>
      (await stage.pods('mesh-late')).every(hasPodEnded),
    );
  });

  it.concurrent('is Completed although another container fails later', async () => {
    const job = await submit('collector');
    await expect(job.wait()).resolves.toMatchObject({ phase: 'Completed' });
  });
});

describe('a job with a helper that has ended', () => {
  it.concurrent('stays Running until its program has ended', async () => {
    const job = await submit('helper');
    await expect(job.wait()).resolves.toMatchObject({ phase: 'Completed' });
    const phases = await phasesOf(job);
    expect(phases.slice(phases.indexOf('Running'))).toEqual(['Running', 'Completed']);
  });

  it.concurrent('has recovered when its program runs again', async () => {
    const job = await submit('helper-ladder');
    await expect(job.wait()).resolves.toMatchObject({ phase: 'Completed', attempt: 2 });
  });

  it.concurrent('stalls when its program reports no progress', async () => {
    const silent = await variant('helper', 'helper-stalls', ['; sleep 1; done', '; sleep 600; done']);
    const job = await stage.client.submit(
      withPolicy(silent, {
        progress: { log: 'step=(\\d+)', stalledAfter: '3s' },
        failures: { classes: { stalled: { budget: 0 } } },
      }),
    );
    await untilPhase(job, 'Failed');
    expect((await statusOf(job)).cause?.message).toContain('no progress since');
  });
});
