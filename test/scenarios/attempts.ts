import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Pod } from '../../contracts/kubernetes.ts';
import { ATTEMPT_VARIABLE, LABELS } from '../../contracts/labels.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';

/** What tells one attempt of a job, or one life of a pod, from another. */

export const untilAttempt = (job: JobHandle, attempt: number) =>
  untilStatus(
    job,
    `attempt ${attempt} runs`,
    (status) => status.attempt === attempt && status.phase === 'Running',
  );

/** The job runs, after so many restarts. */
export const untilRestarted = (job: JobHandle, restarts: number) =>
  untilStatus(
    job,
    `it runs after ${restarts} restarts`,
    (status) => status.restarts === restarts && status.phase === 'Running',
  );

export const untilStatus = (job: JobHandle, fact: string, holds: (status: JobStatus) => boolean) =>
  eventually(fact, async () => {
    const status = await statusOf(job);
    if (holds(status)) return status;
    const { attempt, restarts, state, cause } = status;
    const now = `attempt ${attempt}, ${restarts} restarts, ${state}: ${cause?.message}`;
    // A restart too many is explained by the course alone: the status tells only of the last one.
    throw new Error(`${now}\n${courseOf(status)}`);
  });

/** By name: a pod that is made again has another uid. */
const uidsOf = (pods: readonly Pod[]): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(pods.map(({ metadata }) => [metadata.name, metadata.uid]));

/** Names of pods that are others than before, sorted. */
export const renewed = (before: readonly Pod[], after: readonly Pod[]): string[] => {
  const old = uidsOf(before);
  return after
    .filter(({ metadata }) => metadata.uid !== old[metadata.name])
    .map(({ metadata }) => metadata.name)
    .sort();
};

/** What each pod says of its attempt, once each: its label, and what it tells its containers. */
export const attemptsOf = (pods: readonly Pod[]): string[] => [
  ...new Set(
    pods.map(({ metadata, spec }) => {
      const variables = spec.containers.flatMap(({ env = [] }) => env);
      const attempts = variables.filter(({ name }) => name === ATTEMPT_VARIABLE).map(({ value }) => value);
      return `${metadata.labels?.[LABELS.attempt]}, env ${[...new Set(attempts)]}`;
    }),
  ),
];

/** Why the job entered its states, one line each. */
export const courseOf = ({ timeline }: JobStatus) =>
  timeline.map(({ attempt, state, cause }) => `${attempt} ${state}: ${cause}`).join('\n');
