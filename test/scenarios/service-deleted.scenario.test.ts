import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SERVICES } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { readCase } from './cases.ts';
import { objectsOf, openStage, type Stage, untilPhase } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});
afterAll(() => stage.close());

it('Services that are deleted under a running job are restored, without a restart of a pod', async () => {
  const { client, cluster, namespace } = stage;
  const job = await client.submit(await readCase('service-deleted/svc', namespace));
  await untilPhase(job, 'Running');
  const uids = (await stage.pods('svc')).map(({ metadata }) => metadata.uid).sort();
  const names = ['svc-master-0', 'svc-worker-0'];
  for (const name of names) await cluster.delete(SERVICES, namespace, name);
  for (const name of names)
    await eventually(`${name} is back`, () => cluster.find(SERVICES, namespace, name));
  const { phase, restarts, timeline } = await eventually('the timeline says so', async () => {
    const status = await statusOf(job);
    return (
      status.timeline.some(({ cause }) => cause.startsWith('Services of the job were deleted')) && status
    );
  });
  expect([phase, restarts]).toEqual(['Running', 0]);
  expect(timeline.at(-1)!.cause).toContain('svc-master-0');
  expect((await stage.pods('svc')).map(({ metadata }) => metadata.uid).sort()).toEqual(uids);
  await job.stop();
  await job.wait();
  expect(await objectsOf(stage, 'svc')).not.toContain('Service/svc-master-0');
});
