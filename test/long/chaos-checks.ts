import type { Ends } from '../scenarios/chaos-ends.ts';
import type { ChaosJob } from '../scenarios/chaos-jobs.ts';
import { endOf, PLANNED_ENDS } from '../scenarios/chaos-planned-ends.ts';
import type { KnownPod } from '../scenarios/pod-ledger.ts';
import { ENGINE_ACCOUNTS } from './accounts.ts';
import type { Audited } from './audit-log.ts';
import type { AuditedPod } from './audited-pods.ts';
import { isBystander } from './bystanders.ts';
import { isForgedAnchor } from './forged-anchors.ts';
import type { JobRuns } from './histories.ts';
import type { JudgedJob } from './limits.ts';

/** What must hold of each job, judged from outside: a line for each that does not. */

/** Ends that do not follow from what was done to the jobs. */
export const wrongEnds = (jobs: readonly ChaosJob[], ends: Ends): string[] =>
  jobs.flatMap(({ name, plannedEnd }) => {
    const outcome = ends.get(name);
    const isRight = outcome === undefined || endOf(outcome) === PLANNED_ENDS[plannedEnd].end;
    return isRight ? [] : [`${name}: expected ${PLANNED_ENDS[plannedEnd].end}, got ${endOf(outcome!)}`];
  });

interface Success {
  /** All pods in the order of their creation, by several accounts, each of which may have missed some. */
  readonly seen: readonly (readonly KnownPod[])[];
  /** uids of pods whose programs ended by themselves, as they should. */
  readonly succeeded: ReadonlySet<string>;
}

/** Jobs that are Completed although a pod that decides never came to its end by itself. */
export const unearnedSuccesses = (
  jobs: readonly ChaosJob[],
  ends: Ends,
  { seen, succeeded }: Success,
): string[] =>
  jobs.flatMap((job) => {
    if (ends.get(job.name)?.phase !== 'Completed') return [];
    // Which workers are left of a job that was scaled is its own affair.
    if (!job.leader && job.isScaled) return [];
    const unearned = seen.map((pods) =>
      lastOfEachName(pods.filter((pod) => pod.job === job.name && decides(job, pod)))
        .filter(({ uid }) => !succeeded.has(uid))
        .map(({ name }) => name),
    );
    const inAll = unearned[0]!.filter((name) => unearned.every((names) => names.includes(name)));
    return inAll.map((name) => `${job.name} is Completed, and ${name} never succeeded`);
  });

const decides = ({ leader }: ChaosJob, { name }: KnownPod) =>
  leader ? name === leader : name.includes('-worker-');

const lastOfEachName = (pods: readonly KnownPod[]): KnownPod[] => [
  ...new Map(pods.map((pod) => [pod.name, pod])).values(),
];

export const wrongRecords = (records: ReadonlyMap<string, JobRuns>): string[] =>
  [...records].flatMap(([name, { chains, closedAt, faults }]) => [
    ...(chains === 1 ? [] : [`${name}: ${chains} chains of runs`]),
    ...(closedAt === undefined ? [`${name}: its workflow is open`] : []),
    ...faults.map((fault) => `${name}: ${fault}`),
  ]);

/**
 * Digests by which a watcher told a job of an anchor that is not its own, other than that an earlier one of its admission is
 * gone. `tester`: who also repeats old digests.
 */
export const foreignDigests = (records: ReadonlyMap<string, JobRuns>, tester: string): string[] =>
  [...records].flatMap(([name, { anchorUid, admittedAt, digests }]) =>
    digests
      .filter(({ identity, at }) => identity !== tester && at > admittedAt)
      .filter(({ digest }) => digest.anchor !== anchorUid && !digest.anchorDeleted)
      .map(
        ({ at, digest }) =>
          `${name} was told of the anchor ${digest.anchor} ${at - admittedAt} ms after its admission; its own is ${anchorUid}`,
      ),
  );

/** Restarts of jobs that nothing was done to, for anything but a limit that they had reached. */
export const troubledBystanders = (jobs: readonly JudgedJob[]): string[] =>
  jobs.filter(isBystander).flatMap(({ name, entries }) =>
    entries
      .filter(({ from = '', to }) => !from.startsWith('Restarting') && to.startsWith('Restarting'))
      .filter(({ cause }) => cause.type !== 'timer')
      .map(({ at, message }) => `${name}, ${at}: ${message}`),
  );

/** Whoever ends a workflow by force does not wait for its activities, which hear of it by their heartbeats. */
const LATE_AFTER_FORCE_MS = 15_000;

/** Pods that the engine made of jobs that had ended. */
export const pastTheEnd = (
  jobs: readonly ChaosJob[],
  records: ReadonlyMap<string, JobRuns>,
  pods: readonly AuditedPod[],
): string[] =>
  pods.flatMap((pod) => {
    const job = jobs.find(({ name }) => name === pod.job);
    const closedAt = job && records.get(job.name)?.closedAt;
    if (!job || closedAt === undefined || !pod.by.startsWith(ENGINE_ACCOUNTS)) return [];
    const allowedMs = job.plannedEnd === 'isTerminated' ? LATE_AFTER_FORCE_MS : 0;
    const lateMs = pod.bornAfter - closedAt;
    return lateMs > allowedMs
      ? [`${pod.name} (${pod.uid}) was made ${lateMs.toFixed()} ms after the end`]
      : [];
  });

/** What the engine wrote in the namespace of the jobs to what no job of ours has. */
export const foreignWrites = (jobs: readonly ChaosJob[], requests: readonly Audited[]): string[] => {
  const isOurs = (name: string) =>
    isForgedAnchor(name) ||
    jobs.some(
      (job) => name === job.name || name.startsWith(`${job.name}-`) || name.startsWith(`${job.name}.`),
    );
  return requests
    .filter(({ user, code }) => user.startsWith(ENGINE_ACCOUNTS) && code >= 200 && code < 300)
    .filter(({ name }) => name === undefined || !isOurs(name))
    .map(({ user, verb, resource, name, uri }) => `${user}: ${verb} ${resource} ${name ?? uri}`);
};
