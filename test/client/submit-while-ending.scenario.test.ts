import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SubmitOptions } from '../../client/servers/client-settings.ts';
import { eventually } from '../eventually.ts';
import { aManifest, aName, type ClientStage, openClientStage } from './client-stage.ts';

/** The workflow of an ended job is open until the job has been cleaned up. */

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
});
afterAll(() => stage.close());

/** An ended job whose clean-up goes on until it is told to end. */
async function ending(phase: string, state = 'Finishing.CleaningUp', options: SubmitOptions = {}) {
  const manifest = aManifest(aName(), `${phase}/${state}`);
  const job = await stage.client.submit(manifest, options);
  await eventually(`its phase is ${phase}`, async () => (await job.summary()).phase === phase);
  const end = () => stage.temporal.workflow.getHandle(job.workflowId).signal('enter', phase);
  return { manifest, job, end };
}

const changed = ({ metadata }: ReturnType<typeof aManifest>) =>
  aManifest(metadata.name, 'Completed', { changed: true });

describe('a submission while an ended job of the same name is cleaned up', () => {
  test.each([
    ['of the same manifest', 'Stopped', (given: ReturnType<typeof aManifest>) => given, {}],
    ['of the same manifest', 'Failed', (given: ReturnType<typeof aManifest>) => given, {}],
    [
      'of a completed job, to run it again',
      'Completed',
      (given: ReturnType<typeof aManifest>) => given,
      { rerun: true },
    ],
    ['of another manifest', 'Stopped', changed, {}],
    ['with another key', 'Stopped', (given: ReturnType<typeof aManifest>) => given, { key: 'second' }],
  ] as const)('%s waits, and then starts (%s)', async (_what, phase, next, options) => {
    const { manifest, job, end } = await ending(phase);
    const messages: string[] = [];
    const submitted = stage.client.submit(next(manifest), {
      ...options,
      onCleanUp: (sentence) => {
        messages.push(sentence);
        if (messages.length === 1) void end();
      },
    });
    const again = await submitted;
    expect(again.submission).toBe('started');
    expect(again.runId).not.toBe(job.runId);
    expect(messages[0]).toBe(
      `${job.workflowId} has ended, ${phase}, and is being cleaned up; the new job starts after that`,
    );
  });

  test('of the same manifest finds a completed job at once', async () => {
    const { manifest, job } = await ending('Completed');
    const again = await stage.client.submit(manifest);
    expect([again.submission, again.runId]).toEqual(['already-completed', job.runId]);
  });

  test('with the key of the ended job finds it at once', async () => {
    const { manifest, job } = await ending('Stopped', 'Finishing.CleaningUp', { key: 'first' });
    const again = await stage.client.submit(manifest, { key: 'first' });
    expect([again.submission, again.runId]).toEqual(['already-ended', job.runId]);
  });

  test('is refused when that takes longer than it may wait', async () => {
    const { manifest, job } = await ending('Stopped');
    await expect(stage.client.submit(manifest, { cleanUpTimeout: 500 })).rejects.toMatchObject({
      code: 'NameTaken',
      phase: 'Stopped',
      message: expect.stringMatching(
        `^${job.workflowId} has ended, Stopped, and its clean-up was not over after 0.5s: because of StopRequested`,
      ),
      remedy: expect.stringContaining(`signalbox get ${manifest.metadata.name} -n ml`),
    });
  });

  test.each(['signal', 'cleanUpSignal'])('is aborted by its %s, and starts nothing', async (option) => {
    const { manifest, job, end } = await ending('Stopped');
    const giveUp = new AbortController();
    const reason = new Error('enough');
    const submitted = stage.client.submit(manifest, {
      [option]: giveUp.signal,
      onCleanUp: () => giveUp.abort(reason),
    });
    await expect(submitted).rejects.toBe(reason);
    await end();
    await job.wait();
    expect((await stage.client.job({ workflowId: job.workflowId }).summary()).runId).toBe(job.runId);
  });

  test('is refused with a remedy while failed pods are held', async () => {
    const { manifest, job } = await ending('Failed', 'Finishing.Holding');
    await expect(stage.client.submit(manifest)).rejects.toMatchObject({
      code: 'NameTaken',
      message: `${job.workflowId} has ended, Failed, and its failed pods are held for inspection: because of PodFailed.`,
      remedy: expect.stringContaining(`signalbox release ${manifest.metadata.name} -n ml`),
    });
  });

  test('waits also as a rerun of that job', async () => {
    const { manifest, job, end } = await ending('Failed');
    const rerunOf = { workflowId: job.workflowId, runId: job.runId! };
    const again = await stage.client.submit(manifest, { rerun: true, rerunOf, onCleanUp: () => void end() });
    expect(again.submission).toBe('started');
  });
});
