import type { JobHandle } from '../../client/handles/job-handle.ts';
import { readManifest } from '../comparison/case.ts';
import { eventually } from '../eventually.ts';
import { RECORDINGS, runningJob } from '../replay/recordings.ts';
import { untilRestarted, untilStatus } from './attempts.ts';
import { keep, letGo } from './kept-pods.ts';
import { onSimulatedNodes, simulatedJob } from './manifests.ts';
import type { ShortHistories } from './short-histories.ts';
import { untilPhase } from './stage.ts';

type Life = (stage: ShortHistories, name: string) => Promise<JobHandle>;

/** Jobs of as many fates as there are, by name. Each ends by itself, or because of who runs it. */
export const FATES: Readonly<Record<string, Life>> = {
  ...RECORDINGS,
  ...Object.fromEntries(
    ['jax', 'mpi-v2-intel', 'tf-every-role', 'xgboost', 'pytorch-elastic', 'paddle-ps'].map((kind) => [
      `kind-${kind}`,
      (stage: ShortHistories, name: string) => stoppedCase(stage, name, kind),
    ]),
  ),
  /** Goes on in new runs, several times. */
  'in-several-runs': async (stage, name) => {
    const job = await runningJob(stage, { name });
    // One restart in each run: the back-off before the next one doubles.
    for (let restarts = 1; restarts < 4; restarts++) {
      const before = await stage.runOf(job);
      await stage.endPod(`${name}-worker-0`, { exitCode: 137 });
      await untilRestarted(job, restarts);
      await untilPhase(job, 'Running');
      while ((await stage.runOf(job)) === before) {
        await Promise.all(Array.from({ length: 8 }, () => job.hold({ seconds: 0, by: 'ana' })));
      }
    }
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  terminated: async (stage, name) => {
    const job = await runningJob(stage, { name });
    await stage.temporal.workflow.getHandle(job.workflowId).terminate('a test');
    return job;
  },
  /** Asked for much that it cannot do, by updates and by signals. */
  'of-refusals': async (stage, name) => {
    const job = await runningJob(stage, { name });
    const workflow = stage.temporal.workflow.getHandle(job.workflowId);
    const asked = [
      () => job.resume({ by: 'ana', why: 'a mistake' }),
      () => job.extendDeadline({ seconds: 60 }),
      () => job.scale({ role: 'Nobody', replicas: 2, by: 'ana' }),
      () => job.scale({ role: 'Worker', replicas: 3 }),
      () => job.amendPolicy({ policy: { holdOnFailure: 'soon' }, by: 'ben' }),
      () => job.release(),
    ];
    for (const ask of asked) {
      if (
        await ask().then(
          () => true,
          () => false,
        )
      )
        throw new Error('the job did not refuse');
    }
    await workflow.signal('suspend', { because: 'a typing error' });
    await workflow.signal('resume');
    await job.stop({ by: 'ana' });
    return job;
  },
  /** Another job has its name. */
  nameless: async (stage, name) => {
    const holder = await runningJob(stage, { name });
    const manifest = { ...simulatedJob({ name, namespace: stage.namespace }) };
    const job = await stage.client.submit(manifest, { workflowId: `${stage.namespace}/${name}/again` });
    await job.wait().catch(() => undefined);
    await holder.stop();
    return job;
  },
  /** Waits for its name until somebody stops it. */
  'stopped-before-admission': async (stage, name) => {
    const before = await runningJob(stage, { name });
    const stuck = `${name}-worker-0`;
    await keep(stage, stuck);
    await stage.temporal.workflow.getHandle(before.workflowId).terminate('a test');
    await eventually('the orphan clean-up deletes its pods', async () =>
      Boolean((await stage.pod(stuck)).metadata.deletionTimestamp),
    );
    const job = await stage.client.submit(simulatedJob({ name, namespace: stage.namespace }));
    await untilStatus(job, 'it waits for its name', ({ cause }) => cause?.reason === 'PodsTerminating');
    const workflow = stage.temporal.workflow.getHandle(job.workflowId);
    await workflow.signal('suspend', { by: 'ana' });
    await job.stop({ by: 'ana', why: 'a test' });
    await letGo(stage, stuck);
    return job;
  },
};

async function stoppedCase(stage: ShortHistories, name: string, golden: string): Promise<JobHandle> {
  const manifest = { ...(readManifest(golden) as object), metadata: { name, namespace: stage.namespace } };
  const job = await stage.client.submit(onSimulatedNodes(manifest));
  await untilStatus(
    job,
    'it has pods',
    ({ state }) => state !== 'Pending.Creating' && state !== 'Pending.Admitting',
  );
  await job.stop({ by: 'ana' });
  return job;
}
