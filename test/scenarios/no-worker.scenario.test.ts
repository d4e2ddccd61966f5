import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../../contracts/labels.ts';
import { LEDGER_QUERY } from '../../contracts/ledger.ts';
import { eventually } from '../eventually.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** Every worker is gone. What was recorded can still be read, and people are told so. */

const BIN = fileURLToPath(new URL('../../cli/bin.mjs', import.meta.url));

let stage: Stage;
let job: JobHandle;
beforeAll(async () => {
  stage = await openStage();
  const [worker] = await Promise.all([stage.engine('worker'), stage.engine('watcher')]);
  job = await stage.client.submit(simulatedJob({ name: 'alone', namespace: stage.namespace }));
  await untilPhase(job, 'Running');
  await eventually('its anchor says so', async () => (await phaseOnAnchor()) === 'Running');
  await worker.kill();
});
afterAll(() => stage.close());

async function phaseOnAnchor(): Promise<string | undefined> {
  const { metadata } = await stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf('alone'));
  return metadata.annotations?.[ANNOTATIONS.phase];
}

function command(name: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
    SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
    SIGNALBOX_NAMESPACE: stage.namespace,
  };
  return promisify(execFile)(process.execPath, [BIN, name, 'alone'], { env });
}

describe('a worker that was just killed', () => {
  it('is not awaited by the command history, although Temporal still dispatches to it', async () => {
    const asked = stage.temporal.workflow
      .getHandle(job.workflowId)
      .query(LEDGER_QUERY)
      .then(
        () => 'answered',
        () => 'Temporal gave up',
      );
    const printed = command('history');
    expect(await Promise.race([asked, printed])).toMatchObject({
      stdout: expect.stringMatching(/Running +all 3 pods are ready/),
      stderr: expect.stringContaining('Its histories are replayed here.'),
    });
    expect(await asked).toBe('Temporal gave up');
  });
});

describe('without a worker', () => {
  it('a status is read from the anchor, with its history', async () => {
    const status = await job.status();
    expect(status).toMatchObject({ recordedIn: 'anchor', phase: 'Running', attempt: 1 });
    expect(status.timeline.map(({ phase }) => phase)).toContain('Running');
    await expect(job.history()).rejects.toMatchObject({ code: 'WorkerAway' });
    expect(await job.why()).toMatchObject({
      ...{ phase: 'Running', sentence: 'The job runs.', recordedIn: 'anchor' },
    });
  });

  it.each([
    ['get', 'no', 'This is its last status, as its anchor'],
    ['history', 'No', 'Its histories are replayed here.'],
  ])('the command %s prints it, with its source', async (name, no, source) => {
    const { stdout, stderr } = await command(name);
    expect(stdout).toContain('Running');
    expect(stderr).toContain(`warning: ${no} worker answers for ${job.workflowId}. ${source}`);
  });

  it('who follows a job that no worker takes is told so', async () => {
    const waiting = await stage.client.submit(simulatedJob({ name: 'waiting', namespace: stage.namespace }));
    const told = new AbortController();
    const onInterrupted = (error: unknown) => told.abort(error);
    const follow = async () => {
      for await (const { phase } of waiting.watch({ signal: told.signal, onInterrupted }))
        expect(phase).toBe('Pending');
    };
    await expect(follow()).rejects.toMatchObject({ code: 'WorkerAway' });
  });

  it('a request fails because no worker answers, and a later worker finds the job unchanged', async () => {
    await expect(job.suspend()).rejects.toMatchObject({ code: 'WorkerAway' });
    await stage.engine('worker');
    await job.stop({ by: 'ana' });
    expect(await job.wait()).toMatchObject({ phase: 'Stopped', by: 'ana' });
  });
});
