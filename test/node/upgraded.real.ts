import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import proto from '@temporalio/proto';
import { ownVersion } from '../../cli/shell/own-version.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { versionInIdentity } from '../../contracts/worker-identity.ts';
import { REPLAYED_AFTER_QUERY } from '../../workflows/late-queries.ts';
import type { Installer } from '../deploy/installers.ts';
import { NAMESPACE } from '../deploy/manifests.ts';
import { eventually } from '../eventually.ts';
import { renewed, untilRestarted } from '../scenarios/attempts.ts';
import { makeCurrent, makeUnversioned, versioningOf } from '../scenarios/current-build.ts';
import { deletion } from '../scenarios/disruptions.ts';
import {
  CHART,
  deployEngine,
  enginePods,
  IN_NAMESPACE,
  importEngineImage,
  removeEngine,
  untilReady,
} from './engine-deployment.ts';
import { makeNextImage, NEXT_VERSION, NEXT_WORKFLOW } from './next-image.ts';
import { CLUSTER_DIR } from './nodes.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** Another version of the engine is rolled out under running jobs, and back, as docs/upgrades.md says. */

const JOBS = Array.from({ length: 50 }, (_, index) => `trains-${index}`);
const uidsOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.uid);

const WAITING = ['--wait', '--timeout=2m'];
const WorkflowTaskFailedCause = proto.temporal.api.enums.v1.WorkflowTaskFailedCause;

describeOnNodes('an upgrade under 50 jobs', () => {
  let stage: RealStage;
  let helm: Installer;
  const jobs = new Map<string, JobHandle>();
  /** Those whose pod the test has deleted, each once. */
  const restarted = new Set<string>();
  const logs: string[] = [];
  /** The deployment of worker versioning, once there is one. */
  let versioned: string | undefined;

  beforeAll(async () => {
    stage = await openRealStage();
    helm = await deployEngine(stage);
    await importEngineImage(stage, await makeNextImage(CLUSTER_DIR));
    await Promise.all(JOBS.map(begin));
  }, 600_000);

  afterAll(async () => {
    // Else no worker without a version would get a job of the tests that follow.
    if (versioned) await makeUnversioned(stage.temporal, versioned);
    await removeEngine(stage);
    await stage.close();
  });

  /** Trains until the test says that it is done. Resolves when it runs. */
  async function begin(name: string): Promise<JobHandle> {
    const script = `until [ -e /out/${name} ]; do sleep 1; done`;
    const job = await stage.running({ name, master: { script }, restartPolicy: 'OnFailure' });
    jobs.set(name, job);
    return job;
  }

  async function complete(name: string): Promise<void> {
    await writeFile(join(stage.out, name), '');
    const restarts = restarted.has(name) ? 1 : 0;
    expect([name, await jobs.get(name)!.wait()]).toMatchObject([name, { phase: 'Completed', restarts }]);
  }

  async function deletePodOf(name: string): Promise<void> {
    restarted.add(name);
    await deletion(stage, `${name}-master-0`);
  }

  /** The worker and the watcher of now replace its pod. */
  async function restart(name: string): Promise<void> {
    await deletePodOf(name);
    await untilRestarted(jobs.get(name)!, 1);
  }

  const upgrade = (...values: readonly string[]) =>
    helm('upgrade', 'signalbox', CHART, ...IN_NAMESPACE, '--reset-then-reuse-values', ...WAITING, ...values);

  const podsOfJobs = async (): Promise<readonly Pod[]> =>
    (await stage.cluster.list(PODS, { namespace: stage.namespace })).items.filter(({ metadata }) =>
      JOBS.some((name) => metadata.name === `${name}-master-0`),
    );

  /** Pods of before may still be going. */
  const untilAllAre = (version: string) =>
    eventually(`all pods of the engine are of ${version}`, async () => {
      const images = (await enginePods(stage)).map(({ spec }) => spec.containers[0]!.image);
      return images.length === 4 && images.every((image) => image === `signalbox:${version}`);
    });

  /** Keeps what the processes of now have logged: their logs go with their pods. */
  async function keepLogs(): Promise<void> {
    for (const { metadata } of await enginePods(stage))
      for await (const chunk of await stage.cluster.log(NAMESPACE, metadata.name)) logs.push(String(chunk));
  }

  /** The version of the worker that ran the last workflow task of the job. */
  async function versionOf({ workflowId }: JobHandle): Promise<string | undefined> {
    const { events } = await stage.temporal.workflow.getHandle(workflowId).fetchHistory();
    const tasks = events!.flatMap(({ workflowTaskCompletedEventAttributes: task }) => task ?? []);
    return versionInIdentity(tasks.at(-1)!.identity!);
  }

  it('goes on while its jobs start, fail and restart, and none restarts for it', async () => {
    const before = await podsOfJobs();
    await keepLogs();
    const upgraded = upgrade(`--set=image.tag=${NEXT_VERSION}`);
    const [failing] = await Promise.all([
      stage.submit({ name: 'fails', master: { script: 'exit 3' } }),
      begin('starts-1'),
      begin('starts-2'),
      restart('trains-0'),
    ]);
    expect(await failing.wait()).toMatchObject({ phase: 'Failed', evidence: [{ exitCode: 3 }] });
    await upgraded;
    await untilReady(stage);
    await untilAllAre(NEXT_VERSION);
    expect(renewed(before, await podsOfJobs())).toEqual(['trains-0-master-0']);
  });

  it('new jobs and restarts are of the new version', async () => {
    const { workflow } = stage.temporal;
    const asked = { taskQueue: 'signalbox', workflowId: `version/${stage.namespace}` };
    expect(await workflow.execute(NEXT_WORKFLOW, asked)).toBe(NEXT_VERSION);
    expect(await versionOf(await begin('begins-on-the-new'))).toBe(NEXT_VERSION);
    await restart('trains-1');
    expect(await versionOf(jobs.get('trains-1')!)).toBe(NEXT_VERSION);
  });

  it('is left half-way if its image does not exist: the pods of before go on, and helm says so', async () => {
    const before = await enginePods(stage);
    const failed = await upgrade('--set=image.tag=no-such', '--timeout=15s').catch(String);
    expect(failed).toMatch(/UPGRADE FAILED/);
    const during = await enginePods(stage);
    expect(uidsOf(during)).toEqual(expect.arrayContaining(uidsOf(before)));
    expect(during.length).toBeGreaterThan(before.length);
    const waiting = during
      .flatMap(({ status }) => status?.containerStatuses ?? [])
      .flatMap(({ state }) => state?.waiting ?? []);
    expect(waiting.map(({ reason, message }) => `${reason} ${message}`).join()).toMatch(
      /(ErrImagePull|ImagePullBackOff) .*signalbox:no-such/,
    );
    await restart('trains-2');
    await helm('rollback', 'signalbox', ...IN_NAMESPACE, ...WAITING);
    await eventually('only the pods of before are there', async () => {
      const after = await enginePods(stage);
      return after.length === before.length && renewed(before, after).length === 0;
    });
  });

  it('is rolled back under the same jobs', async () => {
    const before = await podsOfJobs();
    await keepLogs();
    await helm('rollback', 'signalbox', '1', ...IN_NAMESPACE, ...WAITING);
    await untilReady(stage);
    await untilAllAre(ownVersion());
    await restart('trains-3');
    expect(await versionOf(jobs.get('trains-3')!)).toBe(ownVersion());
    await complete('begins-on-the-new');
    expect(renewed(before, await podsOfJobs())).toEqual(['trains-3-master-0']);
  });

  it('with worker versioning, jobs move when the new build is made current, and not before', async () => {
    const before = await podsOfJobs();
    const deploymentName = 'signalbox';
    versioned = deploymentName;
    await keepLogs();
    await upgrade(`--set=settings.TEMPORAL_DEPLOYMENT_NAME=${deploymentName}`);
    await makeCurrent(stage.temporal, { deploymentName, buildId: ownVersion() });
    await restart('trains-4');
    expect(await versioningOf(stage.temporal, jobs.get('trains-4')!)).toMatchObject({
      buildId: ownVersion(),
    });
    await keepLogs();
    await upgrade(`--set=image.tag=${NEXT_VERSION}`);
    await deletePodOf('trains-5');
    const submitted = await stage.submit({ name: 'waits', master: { script: 'true' } });
    expect(await versioningOf(stage.temporal, submitted)).toMatchObject({ buildId: undefined });
    await makeCurrent(stage.temporal, { deploymentName, buildId: NEXT_VERSION });
    await untilRestarted(jobs.get('trains-5')!, 1);
    expect(await submitted.wait()).toMatchObject({ phase: 'Completed' });
    for (const job of [submitted, jobs.get('trains-5')!])
      expect(await versioningOf(stage.temporal, job)).toMatchObject({ buildId: NEXT_VERSION });
    expect(renewed(before, await podsOfJobs())).toEqual(['trains-4-master-0', 'trains-5-master-0']);
  });

  it('all jobs are Completed, and no workflow was ever at odds with its history', async () => {
    await keepLogs();
    await Promise.all([...jobs.keys()].map(complete));
    for (const { workflowId } of jobs.values()) {
      const { events } = await stage.temporal.workflow.getHandle(workflowId).fetchHistory();
      const failed = events!.flatMap(({ workflowTaskFailedEventAttributes: task }) => task ?? []);
      // Workflows that have acted on a query ask for such a replay themselves.
      const why = failed
        .map(({ cause, failure }) => `${WorkflowTaskFailedCause[cause!]}: ${failure?.message}`)
        .filter((sentence) => !sentence.includes(REPLAYED_AFTER_QUERY));
      expect([workflowId, why]).toEqual([workflowId, []]);
    }
    expect(logs.join('')).toContain('"level"');
    expect(logs.join('')).not.toMatch(/non-?determinis|TMPRL1100/i);
  });
});
