import { stillAvoided } from '../../contracts/avoided-nodes.ts';
import type { Noticed, PodFailure } from '../../contracts/digest.ts';
import type { HealthVerdict } from '../../contracts/node-notice.ts';
import type { OnNotice } from '../../contracts/policy.ts';
import { NOTICES } from '../../contracts/timing.ts';
import { earliest, timeOf } from '../../language/time.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy, ownPolicy, policyRule } from '../model/policy.ts';
import { describeNotice, noticedBy } from './node-notices.ts';

/** When a job leaves a node of which a source of health says that it is not well, and why it does not. */

interface Handling {
  readonly field: 'onSick' | 'onLeaving';
  /** The reason of pods that leave such a node. */
  readonly reason: 'NodeSick' | 'NodeLeaving';
}

const HANDLING: Readonly<Record<HealthVerdict, Handling>> = {
  Sick: { field: 'onSick', reason: 'NodeSick' },
  InRepair: { field: 'onSick', reason: 'NodeSick' },
  Leaving: { field: 'onLeaving', reason: 'NodeLeaving' },
};

const reasonOf = ({ verdict }: Noticed): Handling['reason'] => HANDLING[verdict].reason;

/** Whether a pod left its node, which works: it did not fail. */
export const hasLeft = (reason: string): boolean =>
  Object.values(HANDLING).some((handling) => handling.reason === reason);

/** Whether the policy lets nothing of the job stay on the node. */
export const isToLeave = (context: JobContext, node: string): boolean =>
  noticedBy(context).some((notice) => notice.node === node && actionOn(context, notice) !== 'tell');

/** Returns pods that leave their nodes, as failures of these: they work, and nothing that they do is lost before they end. */
export function findLeft(context: JobContext): readonly PodFailure[] {
  const lost = new Set(context.lost);
  const left = noticedBy(context).flatMap((notice) =>
    notice.pods
      .filter(({ uid }) => lost.has(uid))
      .map((pod) => ({
        ...pod,
        node: notice.node,
        reason: reasonOf(notice),
        message: whyLeaves(context, notice),
      })),
  );
  return [...new Map(left.toReversed().map((failure) => [failure.uid, failure])).values()].toReversed();
}

const whyLeaves = (context: JobContext, notice: Noticed): string =>
  [describeNotice(notice), context.departure?.answer, ruleOfNotice(context, notice)]
    .filter(Boolean)
    .join('; ');

/** Returns when the job leaves a node next. */
export function nextDepartureAt(context: JobContext): number | undefined {
  const gone = new Set([...(context.lost ?? []), ...(context.departure?.uids ?? [])]);
  const times = noticedBy(context)
    .filter(({ pods }) => pods.some(({ uid }) => !gone.has(uid)))
    .flatMap((notice) => leavesAt(context, notice) ?? []);
  return earliest(times);
}

/** Returns the uids of pods that leave their nodes by this time, and of those that have begun to. */
export function podsLeavingBy(context: JobContext, at: number): readonly string[] {
  const begun = new Set(context.lost);
  const present = noticedBy(context).flatMap(({ pods }) => pods.map(({ uid }) => uid));
  return [...present.filter((uid) => begun.has(uid)), ...dueBy(context, at).flatMap(uidsOf)];
}

const uidsOf = ({ pods }: Noticed) => pods.map(({ uid }) => uid);

const dueBy = (context: JobContext, at: number): readonly Noticed[] =>
  noticedBy(context).filter((notice) => (leavesAt(context, notice) ?? Number.POSITIVE_INFINITY) <= at);

/** Returns the departure that begins now with a checkpoint; undefined if nothing is to be saved. */
export function departureAt(context: JobContext, at: number): JobContext['departure'] {
  const due = dueBy(context, at);
  const first = due.find((notice) => savesBefore(context, notice));
  if (!first) return undefined;
  return {
    uids: due.flatMap(uidsOf),
    reason: reasonOf(first),
    why: `${describeNotice(first)}; ${ruleOfNotice(context, first)}`,
    until: savedUntil(context, due, at),
  };
}

/** Returns when the job leaves the node; undefined if it goes on there. */
function leavesAt(context: JobContext, notice: Noticed): number | undefined {
  const action = actionOn(context, notice);
  if (action === 'tell' || whyStays(context, notice) !== undefined) return undefined;
  const { verdict, since, deadline, isAssumed } = notice;
  if (verdict !== 'Leaving') return since + NOTICES.graceMs;
  if (deadline === undefined || isAssumed) return since;
  return Math.max(since, deadline - timeToLeave(context, action));
}

/** Whether the job writes a checkpoint before it leaves. Who does that on a signal gets it when the pods are deleted. */
const savesBefore = (context: JobContext, notice: Noticed): boolean =>
  actionOn(context, notice) === 'checkpoint' && jobPolicy(context).checkpoint?.file !== undefined;

const ruleOfNotice = (context: JobContext, notice: Noticed): string =>
  policyRule(`nodes.${HANDLING[notice.verdict].field}`, actionOn(context, notice));

/** Warns of nodes that are not well, and says what the job does, or would do with another policy. */
export const noticeWarnings = (context: JobContext): readonly string[] =>
  context.outcome
    ? []
    : noticedBy(context).map((notice) =>
        [describeNotice(notice), podsOn(notice), ...adviceOn(context, notice)].join('; '),
      );

function adviceOn(context: JobContext, notice: Noticed): readonly string[] {
  const { field } = HANDLING[notice.verdict];
  if (notice.pods.length === 0) return [];
  if (jobPolicy(context).nodes[field] === undefined) {
    const better = jobPolicy(context).checkpoint ? 'checkpoint' : 'restart';
    return [`the job goes on; with ${policyRule(`nodes.${field}`, better)} it would go on elsewhere`];
  }
  if (actionOn(context, notice) === 'tell') return [`the job goes on: ${ruleOfNotice(context, notice)}`];
  if (uidsOf(notice).every((uid) => context.lost?.includes(uid)))
    return [`the job leaves it: ${ruleOfNotice(context, notice)}`];
  const why = whyStays(context, notice);
  if (why !== undefined) return [`the job goes on there: ${why}`];
  return [`the job leaves it at ${timeOf(leavesAt(context, notice)!)}: ${ruleOfNotice(context, notice)}`];
}

/** Returns why a job that should leave a node does not. Nodes that it cannot avoid it would get again, and leave again. */
function whyStays(context: JobContext, { node }: Noticed): string | undefined {
  const avoided = stillAvoided(context.avoided, context.at);
  if (avoided.some((one) => one.node === node)) return 'it is there although it avoids the node';
  const { avoidAtMost } = jobPolicy(context).nodes;
  if (avoided.length < avoidAtMost) return undefined;
  return `it avoids ${avoided.length} nodes already; ${policyRule('nodes.avoidAtMost', avoidAtMost)}`;
}

const actionOn = (context: JobContext, { verdict }: Noticed): OnNotice =>
  ownPolicy(context)?.nodes[HANDLING[verdict].field] ?? 'tell';

/** What a gang needs to end and to save, with room for what takes longer. */
function timeToLeave(context: JobContext, action: OnNotice): number {
  const saving = action === 'checkpoint' ? (jobPolicy(context).checkpoint?.withinMs ?? 0) : 0;
  return saving + ENDING_MS;
}

/** Four times the usual grace period of a pod. */
const ENDING_MS = 120_000;

/** Returns until when a checkpoint may take, before the node goes. */
function savedUntil(context: JobContext, notices: readonly Noticed[], at: number): number {
  const within = at + (jobPolicy(context).checkpoint?.withinMs ?? 0);
  const deadlines = notices.flatMap(({ deadline }) => deadline ?? []);
  return Math.max(at, Math.min(within, ...deadlines.map((deadline) => deadline - TO_END_MS)));
}

/** The usual grace period of a pod. */
const TO_END_MS = 30_000;

function podsOn({ pods }: Noticed): string {
  const [first, ...others] = pods;
  if (!first) return 'a spare is there';
  return others.length > 0 ? `${pods.length} pods run there, e.g. ${first.pod}` : `${first.pod} runs there`;
}
