import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { type Activities, createActivities } from '../../activities/activities.ts';
import { admit } from '../../activities/admit.ts';
import { readJob } from '../../activities/anchors/read-job.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { JobCache } from '../../activities/support/job-cache.ts';
import { Semaphore } from '../../activities/support/semaphore.ts';
import { findClusterId } from '../../cluster/cluster-id.ts';
import { type JobReference, revisionIdOf } from '../../contracts/job-revision.ts';
import type { Pod } from '../../contracts/kubernetes.ts';
import type { GangChoice, GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import type { ResourceIdentity } from '../../contracts/types.ts';
import { openEvidenceStore } from '../../evidence/open-store.ts';
import { installationOf } from '../../temporal/installation.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { eventually } from '../eventually.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';

/** A job that was admitted, without a workflow that would do anything about it. */
export interface Admitted {
  /** Also names its revision, as requests of the workflow do. */
  readonly job: TrainingJob & JobReference;
  readonly anchorUid: string;
  readonly gang: GangProvider;
}

/** Which try of an activity it is, and what cancels it. */
interface Call {
  readonly attempt?: number;
  readonly signal?: AbortSignal;
}

/** Activities on real servers, called one by one. */
export interface ActivityStage extends Stage {
  /** Calls them as a worker does: with a context. */
  as<T>(work: (activities: Activities) => Promise<T>, call?: Call): Promise<T>;
  /** `resource`: the custom resource that the manifest is of. Throws while pods of an earlier job are in the way. */
  admit(manifest: unknown, resource?: ResourceIdentity): Promise<Admitted>;
  /** All pods of an attempt, once they run. */
  start(run: Admitted, attempt: number, gang?: { readonly asGang: boolean }): Promise<readonly Pod[]>;
  /** Calls `restorePods` as the workflow does: again while pods are in the way that take their time to go. */
  restorePods(request: Parameters<Activities['restorePods']>[0], call?: Call): Promise<void>;
}

const JOBS = new JobCache();

const named = (job: TrainingJob): Admitted['job'] => ({
  ...job,
  ...revisionIdOf(JOBS.add(job).revision),
});

export async function openActivityStage(gang: GangChoice = 'none'): Promise<ActivityStage> {
  const stage = await openStage();
  await registerSearchAttributes(stage.temporal);
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-activities-'));
  const evidence = { store: 'files', directory } as const;
  const dependencies: Dependencies = {
    cluster: stage.cluster,
    temporal: stage.temporal,
    installation: await installationOf(stage.temporal),
    clusterId: () => findClusterId(stage.cluster),
    namespace: stage.namespace,
    connections: 32,
    bulk: new Semaphore(32),
    conventions: { kubectlImage: 'kubectl' },
    gang,
    coschedulingName: 'scheduler-plugins-scheduler',
    evidence,
    evidenceStore: openEvidenceStore(evidence),
    jobs: JOBS,
  };
  const activities = createActivities(dependencies);
  const as = <T>(work: (all: Activities) => Promise<T>, { attempt = 1, signal }: Call = {}) => {
    const cancellationSignal = signal ?? new AbortController().signal;
    const context = { info: { attempt }, cancellationSignal, heartbeat: () => undefined };
    return asyncLocalStorage.run(context as unknown as Context, () => work(activities));
  };
  return {
    ...stage,
    as,
    admit: async (manifest, resource) => {
      const request = { manifest, resource, workflowId: 'none', firstRunId: 'none' };
      const admission = await as(() => admit(dependencies, request));
      if (!('plan' in admission)) throw new Error('the job is not admitted yet');
      const { plan, revision, anchorUid } = admission;
      const { job } = await readJob(
        { ...stage, jobs: JOBS },
        {
          namespace: plan.namespace,
          name: plan.name,
          ...revision,
          anchorUid,
        },
      );
      return { job: named(job), anchorUid, gang: admission.gang };
    },
    start: async (run, attempt, { asGang } = { asGang: true }) => {
      const total = run.job.roles.reduce((sum, { replicas }) => sum + replicas, 0);
      await as(({ createAttempt }) =>
        createAttempt({ ...run, attempt, succeededIndices: {}, asGang, from: 0, to: total }),
      );
      return eventually(`${total} pods run`, async () => {
        const pods = await stage.pods(run.job.name);
        return pods.filter(({ status }) => status?.phase === 'Running').length === total && pods;
      });
    },
    restorePods: async (request, call) => {
      await eventually('no pod is in the way', async () => {
        const { stuckPods = [] } = await as((all) => all.restorePods(request), call);
        return stuckPods.length === 0;
      });
    },
    close: async () => {
      await stage.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The job with another number of workers, as after an amendment. */
export const withWorkers = (run: Admitted, replicas: number): Admitted => ({
  ...run,
  job: named({
    ...run.job,
    roles: run.job.roles.map((role) => (role.name === 'Worker' ? { ...role, replicas } : role)),
  }),
});

/** The same with another size of the gang. */
export const withGangOf = (run: Admitted, minMember: number): Admitted => ({
  ...run,
  job: named({ ...run.job, gang: { ...run.job.gang, minMember } }),
});
