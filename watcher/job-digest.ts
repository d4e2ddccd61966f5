import { createHash } from 'node:crypto';
import type { Digest, PodFailure, RoleDigest, Waiting } from '../contracts/digest.ts';
import { MOST_FAILURES } from '../contracts/digest.ts';
import { formatRanges } from '../contracts/index-ranges.ts';
import type { GangProvider, RosterRule } from '../contracts/training-job.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import type { AnchorFacts } from './anchor-facts.ts';
import type { GroupFacts } from './group-facts.ts';
import type { FailureFacts, PodFacts } from './pod-facts.ts';

/** What is known of a job, by uid of its objects. */
export interface JobFacts {
  readonly anchor: AnchorFacts;
  readonly pods: ReadonlyMap<string, PodFacts>;
  readonly groups: ReadonlyMap<string, GroupFacts>;
}

/** Sums up what is: the pods of the highest attempt by role and state, and why those fail that fail. */
export function jobDigest({ anchor, pods, groups }: JobFacts, revision: Digest['revision']): Digest {
  const attempt = highestAttempt(pods, groups);
  const current = [...pods].filter(([, pod]) => pod.attempt === attempt);
  const facts = current.map(([, pod]) => pod);
  const group = [...groups.values()].find((one) => one.attempt === attempt);
  return {
    anchor: anchor.uid,
    anchorDeleted: anchor.deleted,
    attempt,
    revision,
    roles: rolesOf(facts),
    earlier: pods.size - current.length,
    restarts: facts.reduce((sum, pod) => sum + pod.restarts, 0),
    failures: failuresOf(current, anchor.mainContainers),
    waiting: waitingOf(facts, group?.provider),
    gang: group?.gang,
    roster: anchor.roster && rosterOf(facts, anchor.roster),
  };
}

/** Of a job whose pods are held back the group tells it. */
function highestAttempt(pods: JobFacts['pods'], groups: JobFacts['groups']): number {
  let highest = 0;
  for (const { attempt } of pods.values()) highest = Math.max(highest, attempt);
  for (const { attempt } of groups.values()) highest = Math.max(highest, attempt);
  return highest;
}

/** A list of pods as its hash: it changes when a pod that it names comes, goes, or has another address. */
function rosterOf(pods: readonly PodFacts[], { when, roles }: RosterRule): Digest['roster'] {
  const lines = pods
    .filter(({ role }) => roles.includes(role))
    .filter(({ state, address }) => (when === 'ready' ? state === 'ready' : address !== ''))
    .map(({ name, address }) => (when === 'ready' ? name : `${name} ${address}`))
    .sort();
  const hash = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
  return { pods: lines.length, hash };
}

function rolesOf(pods: readonly PodFacts[]): Digest['roles'] {
  const byRole = Map.groupBy(pods, ({ role }) => role);
  return Object.fromEntries([...byRole].sort(byKey).map(([role, members]) => [role, roleDigest(members)]));
}

function roleDigest(pods: readonly PodFacts[]): RoleDigest {
  const counts = { unplaced: 0, placed: 0, ready: 0, succeeded: 0, failed: 0, leaving: 0 };
  for (const { state } of pods) counts[state]++;
  const done = pods.filter(({ state }) => state === 'succeeded').map(({ index }) => index);
  return { ...counts, done: formatRanges(done) };
}

function failuresOf(
  pods: readonly (readonly [string, PodFacts])[],
  mainContainers: MainContainers,
): PodFailure[] {
  return pods
    .flatMap(([uid, pod]) => (pod.failure ? [{ uid, pod, failure: pod.failure }] : []))
    .sort((a, b) => compare(a.failure.finishedAt, b.failure.finishedAt) || compare(a.pod.name, b.pod.name))
    .slice(0, MOST_FAILURES)
    .map(({ uid, pod, failure }) => ({
      ...identityOf(uid, pod),
      ...causeOf(failure, mainContainers[pod.role]),
    }));
}

type MainContainers = AnchorFacts['mainContainers'];

const identityOf = (uid: string, { name, role, index }: PodFacts) => ({ pod: name, uid, role, index });

function causeOf(failure: FailureFacts, mainContainer?: string) {
  const end = failure.ended.find(({ container }) => container === mainContainer) ?? failure.ended[0];
  return {
    node: failure.node,
    container: end?.container,
    exitCode: end?.exitCode,
    // Kubernetes leaves 0 where there was none.
    signal: end?.signal || undefined,
    reason: failure.reason ?? end?.reason ?? 'Failed',
    message: failure.message ?? end?.message,
  };
}

function waitingOf(pods: readonly PodFacts[], provider: GangProvider = 'none'): Waiting | undefined {
  const all = pods.flatMap(({ name, waiting }) => (waiting ? [{ name, ...waiting }] : []));
  const { waitsForOthers } = GANG_ADAPTERS[provider];
  const telling = all.filter((pod) => !waitsForOthers?.(pod));
  const byReason = Map.groupBy(telling.length > 0 ? telling : all, ({ reason }) => reason);
  // The more pods first; of two that are equal always the same one.
  const [most] = [...byReason].sort((a, b) => b[1].length - a[1].length || byKey(a, b));
  if (!most) return undefined;
  const [reason, members] = most;
  const example = members.reduce((first, other) => (other.name < first.name ? other : first));
  const count = all.filter((pod) => pod.reason === reason).length;
  return { reason, message: example.message, pod: example.name, pods: count };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byKey = (a: readonly [string, unknown], b: readonly [string, unknown]) => compare(a[0], b[0]);
