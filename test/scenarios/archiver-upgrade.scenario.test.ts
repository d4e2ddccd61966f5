import { afterAll, beforeAll, expect, it } from '@jest/globals';
import proto from '@temporalio/proto';
import { archiverIdOf } from '../../contracts/archiver.ts';
import type { Engine } from '../../demo/engine.ts';
import { installationOf } from '../../temporal/installation.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { makeCurrent, versioningOf } from './current-build.ts';
import { SUCCEEDS, simulatedJob } from './manifests.ts';
import { untilPhase } from './stage.ts';

/** Workflows that serve all jobs follow the current build, also where jobs are pinned to theirs. */

const { AUTO_UPGRADE, PINNED } = {
  AUTO_UPGRADE: proto.temporal.api.enums.v1.VersioningBehavior.VERSIONING_BEHAVIOR_AUTO_UPGRADE,
  PINNED: proto.temporal.api.enums.v1.VersioningBehavior.VERSIONING_BEHAVIOR_PINNED,
};
const deploymentName = 'pinned';

let on: ArchiveStage;
beforeAll(async () => {
  on = await openArchiveStage();
});
afterAll(() => on?.close());

async function roll(command: 'up' | 'worker', buildId: string): Promise<Engine> {
  const engine = await on.engine(command).start({
    ...on.settings,
    TEMPORAL_DEPLOYMENT_NAME: deploymentName,
    TEMPORAL_WORKER_BUILD_ID: buildId,
    SIGNALBOX_UPGRADE: 'pinned',
    SIGNALBOX_SCAN_INTERVAL: '1',
  });
  await makeCurrent(on.temporal, { deploymentName, buildId });
  return engine;
}

it('the archiver moves to a new build, and archives the jobs that end there', async () => {
  const archiverId = archiverIdOf(await installationOf(on.temporal));
  const one = await roll('worker', 'one');
  await eventually('the archiver runs on the first build', async () => {
    return (await versioningOf(on.temporal, { workflowId: archiverId })).buildId === 'one';
  });
  await roll('up', 'two');
  await one.stop();
  const { namespace } = on.stage;
  const job = await on.client.submit(
    simulatedJob({ name: 'after', namespace, master: { annotations: SUCCEEDS }, worker: false }),
  );
  await job.wait();
  await eventually('it is archived', () => on.archive.find({ namespace, name: 'after' }));
  expect(await versioningOf(on.temporal, job)).toEqual({ behavior: PINNED, buildId: 'two' });
  expect(await versioningOf(on.temporal, { workflowId: archiverId })).toEqual({
    behavior: AUTO_UPGRADE,
    buildId: 'two',
  });
  expect(await signalbox(['archive', 'status'], { env: on.settings })).toMatchObject({ code: 0 });
});

it('an orphan clean-up follows the current build as well', async () => {
  const { namespace } = on.stage;
  const job = await on.client.submit(simulatedJob({ name: 'cut', namespace }));
  await untilPhase(job, 'Running');
  await on.temporal.workflow.getHandle(job.workflowId).terminate('a test');
  const orphan = await eventually('it is cleaned up', async () => {
    const query = `WorkflowType = 'cleanUpOrphan' AND ExecutionStatus = 'Completed'`;
    for await (const { workflowId } of on.temporal.workflow.list({ query })) return workflowId;
    return undefined;
  });
  expect(await versioningOf(on.temporal, { workflowId: orphan })).toMatchObject({ behavior: AUTO_UPGRADE });
});
