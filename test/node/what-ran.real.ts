import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parseImageId } from '../../record/attest/image-id.ts';
import { type RealJobOptions, RUNS_ON } from './jobs.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** What a real kubelet reports of images and times, and what is recorded of it. */

describeOnNodes('the record of pods on a real kubelet', () => {
  let stage: RealStage;

  beforeAll(async () => {
    stage = await openRealStage();
    await stage.engine('up');
  });

  afterAll(() => stage?.close());

  const init = { name: 'prepare', image: 'node:24', command: ['true'] };
  const JOB: Omit<RealJobOptions, 'namespace'> = {
    name: 'ran',
    master: { script: 'sleep 3', pod: { initContainers: [init] } },
    worker: RUNS_ON,
  };

  it('has the image of every container, and its times', async () => {
    const job = await stage.running(JOB);
    expect((await job.wait()).phase).toBe('Completed');
    const [{ pods } = { pods: [] }] = await job.pods();
    expect(pods.map(({ pod }) => pod)).toEqual(['ran-master-0', 'ran-worker-0']);
    const [master, worker] = pods;
    expect(master?.containers).toMatchObject([
      { name: 'prepare', isInit: true, exitCode: 0, reason: 'Completed' },
      { name: 'pytorch', image: 'node:24', exitCode: 0, restarts: 0, reason: 'Completed' },
    ]);
    const times = [master?.createdAt, master?.startedAt, master?.containers[1]?.startedAt, master?.endedAt];
    expect(times.map((time) => Date.parse(time ?? ''))).toEqual(
      times.map((time) => Date.parse(time ?? '')).sort((a, b) => a - b),
    );
    expect(worker).toMatchObject({
      phase: 'Running',
      readyAt: expect.any(String),
      deletedAt: expect.any(String),
    });
    // These images were loaded on the nodes, and never in a registry.
    for (const { containers } of pods)
      for (const { imageID } of containers)
        expect(parseImageId(imageID)).toEqual({ type: 'configuration digest' });
  });
});
