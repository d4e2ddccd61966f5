import { createHash } from 'node:crypto';
import type {
  Crash,
  Digest,
  Endangered,
  ProgramCrash,
  Restarted,
  RoleDigest,
  SpareDigest,
} from '../../contracts/digest.ts';
import { MOST_FAILURES } from '../../contracts/digest.ts';
import type { NodeCondition } from '../../contracts/node-conditions.ts';
import type { NodeNotice } from '../../contracts/node-notice.ts';
import { GROUP_PROVIDERS, givesQuota, type HostListRule } from '../../contracts/training-job.ts';
import type { Eviction } from '../../gang/gang.ts';
import { compareText } from '../../language/compare-text.ts';
import { formatRanges } from '../../language/index-ranges.ts';
import { earliest } from '../../language/time.ts';
import type { GangVerdict } from '../../queue/gang-verdicts.ts';
import type { LaneVerdict } from '../../queue/lanes/lane-verdict.ts';
import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import type { GroupFacts } from '../groups/group-facts.ts';
import type { Answer } from '../jobs/job.ts';
import { type FailedPod, summarizeFailures } from '../pods/failed-pods.ts';
import { type FailureFacts, hasEnded, type PodFacts } from '../pods/pod-facts.ts';
import type { VanishedPods } from '../pods/vanished-pod.ts';
import type { ProgressTracker } from '../progress/progress-tracker.ts';
import type { StepWatch } from '../progress/step-watch.ts';
import { noticedOf } from './noticed.ts';
import { type Capacity, shortagesOf } from './shortages.ts';
import { waitingOf } from './waiting.ts';

/** What is known of a job. Pods and groups are keyed by uid. */
interface JobFacts {
  readonly anchor: AnchorFacts;
  readonly pods: ReadonlyMap<string, PodFacts>;
  readonly spares?: ReadonlyMap<string, PodFacts>;
  readonly groups: ReadonlyMap<string, GroupFacts>;
  readonly vanished?: VanishedPods;
  readonly progress?: Pick<ProgressTracker, 'attempt' | 'progress' | 'acknowledged' | 'lastReportAt'>;
  readonly progressFault?: string;
  readonly steps?: Pick<StepWatch, 'attempt' | 'late'>;
  readonly answer?: Answer;
  readonly missingServices?: Digest['missingServices'];
  readonly verdict?: GangVerdict;
  readonly laneVerdict?: LaneVerdict;
  /** Returns the workflow of the job that has a group, by the uid of that. */
  readonly jobOfGroup?: (uid: string) => string | undefined;
  /** What is wrong with a node. */
  readonly conditionOf?: (node: string) => NodeCondition | undefined;
  /** What sources of health say of a node. */
  readonly noticesOf?: (node: string) => readonly NodeNotice[];
  /** What nodes have, if that is known. */
  readonly capacity?: Capacity;
}

/** A pod with its uid. */
type Member = readonly [uid: string, pod: PodFacts];

/** Summarizes the present state: the pods of the highest attempt by role and state, and the causes of failures. */
export function jobDigest(job: JobFacts, resourceVersions: Digest['resourceVersions']): Digest {
  const { anchor, groups, vanished, progress, conditionOf } = job;
  const isOwn = ([, pod]: Member) => pod.isReplica;
  const { own: pods = [], strange = [] } = Object.groupBy(job.pods, (pod) =>
    isOwn(pod) ? 'own' : 'strange',
  );
  const { lane } = job.laneVerdict ?? {};
  // A job that waits in its lane has neither pods nor a group.
  const attempt = Math.max(highestAttempt(pods, groups), lane?.attempt ?? 0);
  const current = membersOf(pods, attempt);
  const lost = [...(vanished?.values() ?? [])].map(({ uid, pod }) => [uid, pod] as const).filter(isOwn);
  const goneOf = attempt || highestAttempt(lost);
  const gone = membersOf(lost, goneOf);
  const facts = current.map(([, pod]) => pod);
  const group = [...groups.values()].find((one) => one.attempt === attempt);
  return {
    anchor: anchor.uid,
    anchorDeleted: anchor.deleted,
    attempt,
    resourceVersions,
    roles: rolesOfPods(facts, gone),
    earlier: pods.length - current.length,
    restarts: restartsOfPods(facts),
    ...summarizeFailures(failuresOfPods(current)),
    goneOf: attempt === 0 && gone.length > 0 ? goneOf : undefined,
    vanished: someOrNone(summarizeFailures(failuresOfPods(gone)).failures),
    endangered: conditionOf && someOrNone(endangeredOf(current, conditionOf)),
    noticed: job.noticesOf && someOrNone(noticedOf([...current, ...(job.spares ?? [])], job.noticesOf)),
    restarted: someOrNone(restartedOf(current)),
    crash: crashOf(current),
    programCrashes: someOrNone(programCrashesOf(current)),
    outlived: outlivedOf(current),
    terminating: someOrNone(leavingOf(current)),
    strangers:
      strange.length > 0 ? { pods: strange.length, pod: firstByName(strange)[0]![1].name } : undefined,
    ...(progress?.attempt === attempt ? reportedBy(progress) : {}),
    ...job.answer,
    lastReportAt: progress?.lastReportAt,
    progressFault: job.progressFault ?? job.answer?.progressFault,
    noSteps: job.steps?.attempt === attempt ? job.steps.late : undefined,
    waiting: someOrNone(waitingOf(facts, group?.provider)),
    shortages: shortagesOf(facts, job.capacity),
    // What was decided of a gated gang says more than the group that it may have.
    gang: gatedGang(job.verdict, attempt) ?? group?.gang,
    lane,
    eviction: evictionOf(job, { attempt, group, resourceVersions }),
    avoidsUntil: avoidsUntilOf(facts),
    hostList: anchor.hostList && hostListOf(facts, anchor.hostList),
    missingServices: job.missingServices,
    spares: someOrNone(sparesOf([...(job.spares ?? [])], conditionOf)),
  };
}

interface SeenGroup {
  readonly attempt: number;
  readonly group: GroupFacts | undefined;
  readonly resourceVersions: Digest['resourceVersions'];
}

/** A job that has pods has a group, if that gives it quota: a user has deleted what is missing, and the quota with it. */
function evictionOf(
  { anchor: { gang }, groups, jobOfGroup, laneVerdict }: JobFacts,
  { attempt, group, resourceVersions }: SeenGroup,
): Digest['eviction'] {
  if (laneVerdict?.eviction && attempt > 0) return { attempt, ...laneVerdict.eviction };
  if (group) return group.eviction && { attempt, ...withNames(group.eviction, jobOfGroup) };
  const provider = GROUP_PROVIDERS.find((one) => one === gang && givesQuota(one));
  const isRead = provider !== undefined && resourceVersions.groups[provider] !== undefined;
  return isRead && attempt > 0 && groups.size === 0 ? { attempt, ...GROUP_DELETED } : undefined;
}

function withNames({ by, message, ...told }: Eviction, jobOfGroup: JobFacts['jobOfGroup']) {
  const job = by && jobOfGroup?.(by);
  return { ...told, message: job ? `for ${job}; ${message}` : message };
}

const GROUP_DELETED = { reason: 'Evicted', message: 'its Workload was deleted' } as const;

/** Includes groups: a job whose pods are held back has only a group. */
function highestAttempt(pods: readonly Member[], groups: JobFacts['groups'] = new Map()): number {
  let highest = 0;
  for (const [, { attempt }] of pods) highest = Math.max(highest, attempt);
  for (const { attempt } of groups.values()) highest = Math.max(highest, attempt);
  return highest;
}

/** What was decided of a gated gang, if that is of this attempt. */
function gatedGang(verdict: GangVerdict | undefined, attempt: number): Digest['gang'] {
  if (!verdict || verdict.attempt !== attempt) return undefined;
  const { attempt: _, ...told } = verdict;
  return told;
}

const membersOf = (pods: readonly Member[], attempt: number): Member[] =>
  pods.filter(([, pod]) => pod.attempt === attempt);

/** Returns size and hash of the host list. The hash changes with the listed pods and their addresses. */
function hostListOf(pods: readonly PodFacts[], { when, roles }: HostListRule): Digest['hostList'] {
  const lines = pods
    .filter(({ role }) => roles.includes(role))
    .filter(({ state, address }) => (when === 'ready' ? state === 'ready' : address !== ''))
    .map(({ name, address }) => (when === 'ready' ? name : `${name} ${address}`))
    .sort();
  const hash = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
  return { pods: lines.length, hash };
}

function rolesOfPods(pods: readonly PodFacts[], gone: readonly Member[]): Digest['roles'] {
  const byRole = Map.groupBy(pods, ({ role }) => role);
  const succeeded = gone.map(([, pod]) => pod).filter(({ state }) => state === 'succeeded');
  const goneByRole = Map.groupBy(succeeded, ({ role }) => role);
  const names = [...new Set([...byRole.keys(), ...goneByRole.keys()])].sort();
  return Object.fromEntries(
    names.map((role) => [role, roleDigest(byRole.get(role) ?? [], goneByRole.get(role) ?? [])]),
  );
}

/** A replica that succeeded still counts as succeeded when its pod is gone. */
function roleDigest(pods: readonly PodFacts[], succeededAndGone: readonly PodFacts[]): RoleDigest {
  const counts = { unscheduled: 0, scheduled: 0, ready: 0, succeeded: 0, failed: 0, terminating: 0 };
  for (const { state } of pods) counts[state]++;
  const succeeded = [...pods.filter(({ state }) => state === 'succeeded'), ...succeededAndGone];
  const succeededIndices = formatRanges(succeeded.map(({ index }) => index));
  return { ...counts, succeededIndices, restarts: restartsOfPods(pods) || undefined };
}

const restartsOfPods = (pods: readonly PodFacts[]) => pods.reduce((sum, { restarts }) => sum + restarts, 0);

function endangeredOf(
  pods: readonly Member[],
  conditionOf: (node: string) => NodeCondition | undefined,
): Endangered[] {
  return firstByName(pods.filter(([, pod]) => !hasEnded(pod) && pod.node && conditionOf(pod.node))).map(
    ([uid, pod]) => ({ ...placeOfPod(uid, pod), ...conditionOf(pod.node!)! }),
  );
}

const sparesOf = (pods: readonly Member[], conditionOf: JobFacts['conditionOf']): SpareDigest[] =>
  firstByName(pods).map(([uid, { name, node, state }]) => ({
    ...{ pod: name, uid, node, state: SPARE_STATE_OF[state] },
    ...(node && conditionOf?.(node) ? { isEndangered: true } : {}),
  }));

const SPARE_STATE_OF: Readonly<Record<PodFacts['state'], SpareDigest['state']>> = {
  unscheduled: 'waiting',
  scheduled: 'waiting',
  ready: 'ready',
  terminating: 'leaving',
  succeeded: 'ended',
  failed: 'ended',
};

/** Returns the pods that restarted in place and are not ready again. Pods being deleted are excluded. */
function restartedOf(pods: readonly Member[]): Restarted[] {
  const restarted = pods.filter(([, { state, restarts }]) => restarts > 0 && STARTING.has(state));
  return firstByName(restarted).map(([uid, pod]) => ({ ...placeOfPod(uid, pod), restarts: pod.restarts }));
}

/** Returns the crash with the most restarts; ties go to the first pod by name. */
function crashOf(pods: readonly Member[]): Crash | undefined {
  const crashed = pods.flatMap(([uid, pod]) =>
    pod.crash ? [{ ...placeOfPod(uid, pod), ...pod.crash }] : [],
  );
  const [worst] = crashed.sort((a, b) => b.restarts - a.restarts || compareText(a.pod, b.pod));
  return worst && { ...worst, pods: crashed.length };
}

function programCrashesOf(pods: readonly Member[]): ProgramCrash[] {
  const crashed = firstByName(pods.filter(([, { programCrash }]) => programCrash));
  return crashed.map(([uid, pod]) => ({ ...placeOfPod(uid, pod), ...pod.programCrash! }));
}

const STARTING: ReadonlySet<PodFacts['state']> = new Set(['unscheduled', 'scheduled']);

/** Includes pods that have their result, but go on. */
const leavingOf = (pods: readonly Member[]) =>
  firstByName(pods.filter(([, pod]) => pod.state === 'terminating' || pod.outlived?.isLeaving)).map(
    ([uid, pod]) => placeOfPod(uid, pod),
  );

/** Describes the first pod by name. */
function outlivedOf(pods: readonly Member[]) {
  const going = pods.filter(([, { outlived }]) => outlived && !outlived.isLeaving);
  const [first] = firstByName(going);
  if (!first) return undefined;
  const [uid, pod] = first;
  const { container, exitCode, running } = pod.outlived!;
  return { ...placeOfPod(uid, pod), container, exitCode, running: firstOf(running), pods: going.length };
}

const firstByName = (pods: readonly Member[]) =>
  [...pods].sort(([, a], [, b]) => compareText(a.name, b.name)).slice(0, MOST_FAILURES);

const placeOfPod = (uid: string, pod: PodFacts) => ({ ...identityOfPod(uid, pod), node: pod.node });

function avoidsUntilOf(pods: readonly PodFacts[]): number | undefined {
  const times = pods.flatMap(({ avoidsUntil }) => avoidsUntil ?? []);
  return earliest(times);
}

const reportedBy = ({ progress, acknowledged }: NonNullable<JobFacts['progress']>) => ({
  progress,
  acknowledged: acknowledged || undefined,
});

/** Omits empty lists: most digests have nothing to list. */
const someOrNone = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined);

function failuresOfPods(pods: readonly Member[]): FailedPod[] {
  return pods.flatMap(([uid, pod]) => {
    if (!pod.failure) return [];
    const { interruption, outlived } = pod;
    const facts = interruption ? { ...pod.failure, ...interruption } : pod.failure;
    const cause = causeOfFailure(facts, pod.mainContainer);
    const stillRunning = outlived && firstOf(outlived.running);
    const failure = { ...identityOfPod(uid, pod), ...cause, interruptedBy: interruption?.by, stillRunning };
    return [{ failure, finishedAt: pod.failure.finishedAt }];
  });
}

/** Injected containers are few. */
const firstOf = (containers: readonly string[]) => containers.slice(0, 5);

const identityOfPod = (uid: string, { name, role, index }: PodFacts) => ({ pod: name, uid, role, index });

function causeOfFailure(failure: FailureFacts, mainContainer?: string) {
  const end = failure.ended.find(({ container }) => container === mainContainer) ?? failure.ended[0];
  return {
    node: failure.node,
    container: end?.container,
    exitCode: end?.exitCode,
    // Kubernetes sets 0 if there was no signal.
    signal: end?.signal || undefined,
    reason: failure.reason ?? end?.reason ?? 'Failed',
    message: failure.message ?? end?.message,
    memoryLimit: end?.memoryLimit,
  };
}
