import { statusOfResource } from '../../bridge/resource-status.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { VOLCANO_RESOURCE } from '../../frameworks/kinds/volcano-job/resource.ts';
import { valueAt } from '../../language/fields.ts';
import { readManifest } from './case.ts';
import { Course } from './course.ts';
import { leftAfter } from './left.ts';
import type { GoldenCase } from './observed.ts';

type Row = readonly [title: string, wanted: object, got: () => unknown];

const running = (job: TrainingJob) => new Course(job).sees(allReady(job)).sees(allReady(job));

const allReady = ({ roles }: TrainingJob) =>
  Object.fromEntries(roles.map(({ name }) => [name, 'ready'] as const));

const allSucceeded = (job: TrainingJob) =>
  running(job).sees(Object.fromEntries(job.roles.map(({ name }) => [name, 'succeeded'] as const)));

const mainSucceeded = (job: TrainingJob) =>
  running(job).sees({ ...allReady(job), [job.roles[0]!.name]: 'succeeded' });

function lastPodFailed(
  job: TrainingJob,
  course = running(job),
  failure: { readonly exitCode?: number } = {},
) {
  const { name, replicas } = job.roles.at(-1)!;
  const index = replicas - 1;
  return course.seesFailure(
    { role: name, index, uid: `${course.status.attempt}-${course.status.restarts}`, ...failure },
    {},
  );
}

const afterRestart = (job: TrainingJob) => lastPodFailed(job).sees(allReady(job)).sees(allReady(job));

/** What became of a job by events in its pods, and what its phase is. */
const COURSES: Readonly<Record<string, (job: TrainingJob) => Course>> = {
  statusWhenRunning: running,
  statusWhenAllSucceeded: allSucceeded,
  statusWhenMasterSucceeded: mainSucceeded,
  statusWhenLastPodFailed: lastPodFailed,
  statusAfterRestart: afterRestart,
  statusAfterSecondFailure: (job) => lastPodFailed(job, afterRestart(job)),
  statusWhenExitCode3: (job) => lastPodFailed(job, running(job), { exitCode: 3 }),
  statusWhenAbortedByCommand: (job) => running(job).suspends(),
  statusWhenResumed: (job) => running(job).suspends().resumes().sees(allReady(job)).sees(allReady(job)),
  statusWhenPodFailed: lastPodFailed,
};

interface VolcanoStatus {
  readonly state: { readonly phase: string };
  readonly conditions: readonly string[];
  readonly [field: string]: unknown;
}

const rowsOf = ({ job, observed }: GoldenCase) =>
  job.apiVersion.startsWith('batch.volcano.sh/')
    ? Object.entries(COURSES).flatMap(([name, course]) => {
        const seen = observed[name] as VolcanoStatus | undefined;
        return seen?.state ? [{ name, course, seen }] : [];
      })
    : [];

export const volcanoStatusesOf = (golden: GoldenCase): Row[] =>
  rowsOf(golden).map(({ name, course, seen }) => [
    `${name}: ${seen.state.phase}`,
    comparable(withoutRetry(name, seen)),
    () => {
      const got = withoutRetry(name, resourceStatus(golden, course(golden.job).status));
      return comparable({ ...got, state: { phase: overAtOnce(seen.state.phase, got.state.phase) } });
    },
  ]);

/** The status of the custom resource of a job. */
function resourceStatus({ job, name: folder }: GoldenCase, status: JobStatus): VolcanoStatus {
  const { apiVersion, kind, name } = job;
  const ofSpec = VOLCANO_RESOURCE.ofSpec(valueAt(readManifest(folder), 'spec'));
  const about = { apiVersion, kind, name, generation: 1, isSuspended: false, ofSpec, status: {} };
  const shown = statusOfResource(about, status, { at: '2026-01-01T00:00:00Z' }) as unknown as VolcanoStatus;
  const conditions = shown.conditions.map((one) => (one as unknown as { readonly status: string }).status);
  return { ...shown, conditions };
}

const COUNTS = ['pending', 'running', 'failed', 'taskStatusCount', 'controlledResources'];
const ENDS = ['Completed', 'Failed', 'Terminated', 'Aborted'];

/** Of jobs that were resumed before, which costs no retry here (abort-and-resume). */
const withoutRetry = (name: string, status: VolcanoStatus): VolcanoStatus =>
  /Resumed|ExitCode3/.test(name)
    ? {
        ...{ ...status, retryCount: undefined },
        conditions: status.conditions.filter((phase) => phase !== 'Restarting'),
      }
    : status;

/** An ended job keeps its counts here, and is not Completing if all its pods had ended (objects-at-the-end). */
function comparable(status: VolcanoStatus): object {
  const { state, conditions, minAvailable, retryCount } = status;
  const { phase } = state;
  if (phase === 'Restarting') return { phase, minAvailable };
  const counts = Object.fromEntries(COUNTS.map((name) => [name, status[name]]));
  const told = conditions.filter((one) => one !== 'Completing');
  return { phase, conditions: told, minAvailable, retryCount, ...(ENDS.includes(phase) ? {} : counts) };
}

/** A restart is over at once in a course: the pods then wait to be created. */
const overAtOnce = (phase: string, got: string) =>
  phase === 'Restarting' && got === 'Pending' ? phase : got;

/** The pods that stay when the job has ended: those that had. */
export function volcanoLeftOf({ job, observed, rendered, name }: GoldenCase): Row[] {
  if (!name.startsWith('vcjob-')) return [];
  const { objectsLeftWhenMasterSucceeded: ofMaster, objectsLeftWhenAllSucceeded: ofAll } = observed;
  const wanted = (ofMaster ?? ofAll) as readonly string[] | undefined;
  if (!wanted) return [];
  const successRoles = (ofMaster ? job.roles.slice(0, 1) : job.roles).map((role) => role.name);
  const course = ofMaster ? mainSucceeded : allSucceeded;
  const got = () => leftAfter(course(job).scope, { ...job.plan, successRoles }, rendered).filter(isPod);
  return [['when it has succeeded', wanted.filter(isPod), got]];
}

const isPod = (key: string) => key.startsWith('Pod/');
