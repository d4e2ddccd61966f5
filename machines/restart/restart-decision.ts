import type { PodFailure } from '../../contracts/digest.ts';
import { RESTART_SCOPES, type RestartScope } from '../../contracts/policy.ts';
import type { PlannedRole } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';
import { ownValue } from '../../language/fields.ts';
import { classOf, needsEvidence, rulesFor } from '../failures/failure-class.ts';
import { type FatalCrash, findFatalCrash, unexaminedCrashes } from '../failures/in-place.ts';
import { countSimilar, findSimilar, indicesByRole, type SimilarFailures } from '../failures/more-failures.ts';
import { placeOfTrouble } from '../failures/place-of-end.ts';
import { findVanished } from '../failures/vanished.ts';
import type { Decision } from '../model/assessment.ts';
import type { FailedPodIdentity } from '../model/effects.ts';
import { countRestarts, type JobContext } from '../model/job-context.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import type { Charges, ChosenRung, Restart } from '../model/restart.ts';
import { countMissing, digestOf } from '../model/role-counts.ts';
import { hasLeft } from '../nodes/leaving-nodes.ts';
import { findLost, losesGang } from '../nodes/lost-nodes.ts';
import { exceedsBackoffLimit, exceedsRestartLimit } from './backoff-limit.ts';
import { countedByLimit, findExceeded } from './failure-budget.ts';
import { causeOfFatalCrash } from './fatal-crash.ts';
import { partitionsToRestart } from './partitions.ts';
import { isClassed, isCounted, isLossCounted, reactionToLoss, scopeOfReaction } from './reactions.ts';
import { failedNodes, nextRung } from './restart-ladder.ts';
import {
  causeOfPodFailure,
  describeFailure,
  findFinalFailure,
  findReplaceable,
  isReplaceable,
} from './restart-policy.ts';
import { followedBy, reactionsTo } from './rules-of-troubles.ts';
import { failedByWear, wornOut } from './worn-out.ts';

/** Decides by the policy how to handle the job's troubles; undefined if there are none. */
export function decide(context: JobContext, troubles: Troubles): Decision | undefined {
  const cause = findFinalFailure(context);
  if (troubles.failures.some((failure) => needsEvidence(context, failure))) return { is: 'unexamined' };
  if (cause) return { is: 'failed', cause };
  if (unexaminedCrashes(context).length > 0) return { is: 'unexamined' };
  if (troubles.fatal) return { is: 'failed', cause: causeOfFatalCrash(troubles.fatal) };
  const worn = failedByWear(context, troubles);
  if (worn) return { is: 'failed', cause: worn };
  if (!isBroken(troubles)) return exceeded(exceedsBackoffLimit(context, 0));
  if (isFree(troubles)) return { is: 'broken', ...freely(context, troubles) };
  const chosen =
    nextRung(context, leastScope(context, troubles)) ?? (onlyLeave(troubles) ? lastRung(context) : undefined);
  if (!chosen) return { is: 'failed', cause: exhausted(context, troubles) };
  const restart = restartOn(chosen, context, troubles);
  const ends = finallyFailed(context, troubles, restart) ?? overspent(context, troubles, restart);
  return ends ?? { is: 'broken', ...restart };
}

/** Everything that is wrong with a job's pods. */
export interface Troubles {
  /** Failures that the digest describes, and pods lost with their node. */
  readonly failures: readonly PodFailure[];
  /** Failed pods that the digest does not describe. */
  readonly alike: readonly SimilarFailures[];
  /** Interrupted pods of roles whose restarts do not count. */
  readonly interruptedFree: readonly PodFailure[];
  /** Missing pods of roles whose restarts count, and of the other roles. */
  readonly missing: number;
  readonly missingFree: number;
  /** How missing pods of roles that count ended, as far as known. */
  readonly vanished: readonly PodFailure[];
  /** Pods whose containers have used up the ladder's in-place restarts. */
  readonly worn: readonly FailedPodIdentity[];
  /** A program, restarted in place, whose last end the policy does not forgive. */
  readonly fatal: FatalCrash | undefined;
  readonly trouble: JobContext['trouble'];
}

export function findTroubles(context: JobContext): Troubles {
  const { roles } = context.plan;
  const isLoss = (role: PlannedRole) => isLossCounted(context, role);
  const counts = (failure: PodFailure) => isCounted(context, failure);
  const all = context.digest?.failures ?? [];
  const described = all.filter(counts);
  const missingOf = (which: typeof roles) =>
    which.reduce((sum, role) => sum + countMissing(context, role), 0);
  return {
    failures: [...described, ...findLost(context)],
    alike: findSimilar(context).filter(({ like }) => counts(like)),
    interruptedFree: all.filter((failure) => failure.interruptedBy && !counts(failure)),
    missing: missingOf(roles.filter(isLoss)),
    missingFree: missingOf(roles.filter((role) => !isLoss(role))),
    vanished: findVanished(context).filter(counts),
    worn: wornOut(context),
    fatal: findFatalCrash(context),
    trouble: context.trouble,
  };
}

function isBroken({ failures, worn, trouble, ...rest }: Troubles): boolean {
  const { interruptedFree, missing, missingFree } = rest;
  const counted = failures.length + missing + worn.length;
  const isFatal = rest.fatal !== undefined || trouble !== undefined;
  return counted + interruptedFree.length + missingFree > 0 || isFatal;
}

/** Returns undefined if nothing is wrong. */
export const summarizeTroubles = (troubles: Troubles) =>
  isBroken(troubles)
    ? { message: messageOfDecision(troubles), hasFailedPod: hasFailedPod(troubles) }
    : undefined;

function hasFailedPod(troubles: Troubles): boolean {
  const failures = troubles.failures.filter((failure) => !isDeleted(failure) && !isLeaving(failure));
  return isBroken({ ...troubles, failures, interruptedFree: [], missing: 0, missingFree: 0 });
}

const isDeleted = ({ interruptedBy }: PodFailure) => interruptedBy === 'deletion';

/** Whether all troubles are missing or interrupted pods that cost nothing. */
const isFree = (troubles: Troubles) => !isBroken({ ...troubles, interruptedFree: [], missingFree: 0 });

/** Recreates missing pods at no cost. */
export const UNCHARGED: Restart = {
  scope: 'pod',
  rung: 0,
  replace: [],
  roles: [],
  charges: {},
  restarts: 0,
  nodes: [],
  failedOn: [],
  strands: false,
  atOnce: true,
};

/** Whether all that is wrong is that pods leave nodes on which they work: that costs nothing, as an eviction does not. */
const onlyLeave = (troubles: Troubles): boolean =>
  troubles.failures.some(isLeaving) &&
  !isBroken({ ...troubles, failures: troubles.failures.filter((failure) => !isLeaving(failure)) });

const isLeaving = ({ reason }: PodFailure): boolean => hasLeft(reason);

function lastRung(context: JobContext): ChosenRung | undefined {
  const { ladder } = jobPolicy(context).restart;
  const rung = ladder.at(-1);
  return rung && { index: ladder.length, rung };
}

/** Pods that their node interrupts wait for the back-off, like failed pods. */
const freely = (context: JobContext, troubles: Troubles): Restart => ({
  ...UNCHARGED,
  replace: podsToReplace(context, troubles),
  atOnce: troubles.interruptedFree.every(isDeleted),
});

/** The kubelet cannot restart a failed pod; and the manifest may say what starts again. */
function leastScope(context: JobContext, troubles: Troubles): RestartScope {
  const ofPods = reactionsTo(context, troubles).map(({ reaction }) => scopeOfReaction(reaction));
  const lacking = context.plan.roles.filter((role) => countMissing(context, role) > 0);
  const wanted = [...ofPods, ...lacking.map((role) => scopeOfReaction(reactionToLoss(role)))];
  const least = context.trouble?.least ?? (losesGang(context) ? 'gang' : 'pod');
  return RESTART_SCOPES.findLast((scope) => scope === least || wanted.includes(scope))!;
}

function restartOn({ index, rung }: ChosenRung, context: JobContext, troubles: Troubles): Restart {
  const scope = rung.scope === 'container' ? 'pod' : rung.scope;
  const isOfPods = scope === 'pod';
  const isFreeToLeave = onlyLeave(troubles);
  const chargesOfGang = isFreeToLeave ? {} : { [mainClass(context, troubles)]: 1 };
  const charges = isOfPods ? chargesByPod(context, troubles) : chargesOfGang;
  return {
    scope,
    rung: index,
    replace: isOfPods ? podsToReplace(context, troubles) : [],
    replaceAlso: isOfPods ? alsoToReplace(context, troubles) : undefined,
    ...(isOfPods ? ofPartitions(context, troubles) : {}),
    roles: scope === 'role' ? brokenRoles(context, troubles) : [],
    charges,
    restarts: Object.values(charges).reduce((sum, n) => sum + n, 0),
    ...(isClassed(context, mainClass(context, troubles)) ? {} : followedBy(context, troubles, scope)),
    nodes: nodesOf(context, troubles, scope),
    failedOn: failedOn(context, troubles),
    strands: ![...troubles.failures, ...troubles.vanished].some((one) => one.interruptedBy || isLeaving(one)),
    ...(isFreeToLeave ? { leaves: true as const } : {}),
    atOnce: isFreeToLeave || (isOfPods && troubles.worn.length === 0 && troubles.failures.every(isDeleted)),
  };
}

/** Pods that take their partition with them. */
function ofPartitions(context: JobContext, { failures, vanished, alike, worn }: Troubles) {
  const partitions = partitionsToRestart(context, { failures: [...failures, ...vanished], alike, worn });
  return partitions ? { partitions } : {};
}

function podsToReplace(context: JobContext, { worn }: Troubles): readonly FailedPodIdentity[] {
  const failed = [...findReplaceable(context), ...findLost(context)];
  return [...failed.map(({ pod, uid }) => ({ pod, uid })), ...worn];
}

function alsoToReplace(context: JobContext, { alike }: Troubles): Restart['replaceAlso'] {
  const replaceable = alike.filter(({ like }) => isReplaceable(context, like));
  return replaceable.length > 0 ? indicesByRole(replaceable) : undefined;
}

/** Charges one restart for each replaced pod. */
function chargesByPod(context: JobContext, troubles: Troubles): Charges {
  const charges: Record<string, number> = {};
  const charge = (name: string, restarts: number) => {
    if (restarts > 0) charges[name] = (ownValue(charges, name) ?? 0) + restarts;
  };
  for (const failure of troubles.failures) if (!isLeaving(failure)) charge(classOf(context, failure), 1);
  for (const { like, count } of troubles.alike) charge(classOf(context, like), count);
  for (const failure of troubles.vanished) charge(classOf(context, failure), 1);
  charge('infrastructure', troubles.missing - troubles.vanished.length);
  charge('userCode', troubles.worn.length);
  // The trouble is the worn-out pods themselves: do not charge it twice.
  if (troubles.trouble && troubles.worn.length === 0) charge(troubles.trouble.class, 1);
  return charges;
}

/** An infrastructure failure takes other pods down with it; otherwise the first failure causes the rest. */
function mainClass(context: JobContext, { failures, missing, vanished, trouble, worn }: Troubles): string {
  if (trouble) return trouble.class;
  const failed = failures.filter((failure) => !isLeaving(failure));
  const classes = [...failed, ...vanished].map((failure) => classOf(context, failure));
  if (missing > vanished.length || classes.includes('infrastructure')) return 'infrastructure';
  return classes[0] ?? (worn.length > 0 ? 'userCode' : 'infrastructure');
}

function brokenRoles(context: JobContext, { failures, worn }: Troubles): readonly string[] {
  const restarted = new Map((context.digest?.restarted ?? []).map(({ uid, role }) => [uid, role]));
  const named = [...failures.map(({ role }) => role), ...worn.map(({ uid }) => restarted.get(uid) ?? '')];
  const broken = new Set(named.map((role) => role.toLowerCase()));
  const lacking = context.plan.roles.filter((role) => {
    const { unscheduled, scheduled, terminating } = digestOf(context, role);
    return countMissing(context, role) > 0 || (context.trouble && unscheduled + scheduled + terminating > 0);
  });
  for (const { name } of lacking) broken.add(name.toLowerCase());
  return [...broken].sort();
}

/** `gangElsewhere` avoids every node of a failure; other scopes avoid only nodes at fault, if the policy wants that. */
function nodesOf(context: JobContext, troubles: Troubles, scope: RestartScope): readonly string[] {
  if (scope === 'gangElsewhere') return [...failedOn(context, troubles), ...failedNodes(context)];
  const left = troubles.failures.filter(isLeaving).flatMap(({ node }) => node ?? []);
  if (jobPolicy(context).nodes.avoidForMs === undefined) return left;
  return [...troubles.failures, ...troubles.vanished]
    .filter((failure) => classOf(context, failure) === 'infrastructure' && failure.reason !== DELETED)
    .flatMap(({ node }) => node ?? []);
}

/** The pod was deleted on request: its node is not at fault. */
const DELETED = 'Deleted';

function failedOn({ digest }: JobContext, { failures, vanished, worn }: Troubles): readonly string[] {
  const uids = new Set(worn.map(({ uid }) => uid));
  const restarted = (digest?.restarted ?? []).filter(({ uid }) => uids.has(uid));
  return [...failures, ...vanished, ...restarted].flatMap(({ node }) => node ?? []);
}

/** Failures that leave no failed pod behind can be final as well. */
function finallyFailed(context: JobContext, troubles: Troubles, { charges }: Restart): Decision | undefined {
  const name = Object.keys(charges).find((one) => rulesFor(context, one).final);
  if (!name) return undefined;
  const rule = policyRule(`failures.classes.${name}.final`, true);
  const { trouble } = troubles;
  const message = `${messageOfDecision(troubles)}; ${rule}`;
  const reason = trouble?.reason ?? 'FinalFailure';
  return { is: 'failed', cause: { reason, rule, message, ...placeOfTrouble(trouble) } };
}

function overspent(context: JobContext, troubles: Troubles, { charges }: Restart): Decision | undefined {
  const over = findExceeded(context, charges);
  if (over) return { is: 'failed', cause: overBudget(context, troubles, over) };
  const counted = countedByLimit(context, charges);
  return exceeded(exceedsBackoffLimit(context, counted) ?? exceedsRestartLimit(context, counted));
}

const exceeded = (cause: Cause | undefined): Decision | undefined => cause && { is: 'failed', cause };

function overBudget(
  context: JobContext,
  troubles: Troubles,
  over: { readonly class: string; readonly budget: number },
): Cause {
  const rule = policyRule(`failures.classes.${over.class}.budget`, over.budget);
  const { failures, vanished } = troubles;
  const failure = [...failures, ...vanished].find((one) => classOf(context, one) === over.class);
  if (failure) return causeOfPodFailure(failure, { reason: 'FailureBudgetExceeded', rule });
  const message = `${messageOfDecision(troubles)}; ${rule}`;
  return { reason: 'FailureBudgetExceeded', rule, message, ...placeOfTrouble(troubles.trouble) };
}

function exhausted(context: JobContext, troubles: Troubles): Cause {
  const scopes = jobPolicy(context).restart.ladder.map(({ scope }) => scope);
  const rule = policyRule('restart.ladder', scopes.join(', '));
  const [failure] = [...troubles.failures, ...troubles.vanished];
  if (failure) return causeOfPodFailure(failure, { reason: 'RestartsExhausted', rule });
  const made = countRestarts(context.restarts);
  return {
    reason: 'RestartsExhausted',
    rule,
    message: `${messageOfDecision(troubles)}, after ${made} restarts; ${rule}`,
    ...placeOfTrouble(troubles.trouble),
  };
}

function messageOfDecision({
  failures,
  interruptedFree,
  vanished,
  alike,
  trouble,
  worn,
  fatal,
}: Troubles): string {
  const named = [...failures, ...vanished, ...interruptedFree];
  const [first] = named;
  const more = named.length + countSimilar(alike) - 1;
  if (first) return `${describeFailure(first)}${more > 0 ? `, and ${more} more` : ''}`;
  if (fatal) return describeFailure(fatal.crash);
  if (trouble) return trouble.message;
  if (worn[0]) return `containers of ${worn[0].pod} were restarted in place as often as is allowed`;
  return 'pods disappeared before they finished';
}
