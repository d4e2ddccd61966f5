import type { PodFailure } from '../../contracts/digest.ts';
import type { RestartScope } from '../../contracts/policy.ts';
import type { Cause } from '../../contracts/status.ts';
import { classOf, needsEvidence, rulesFor } from '../failures/failure-class.ts';
import { countSimilar, findSimilar, indicesByRole, type SimilarFailures } from '../failures/more-failures.ts';
import { findVanished } from '../failures/vanished.ts';
import type { Decision } from '../model/assessment.ts';
import { countInPlace, countRestarts, type JobContext } from '../model/job-context.ts';
import type { FailedPodIdentity } from '../model/job-events.ts';
import { jobPolicy, policyRule } from '../model/policy.ts';
import type { Charges, ChosenRung, Restart } from '../model/restart.ts';
import { countMissing, digestOf, isCharged } from '../model/role-counts.ts';
import { findLost } from '../nodes/lost-nodes.ts';
import { exceedsBackoffLimit } from './backoff-limit.ts';
import { countedByLimit, findExceeded } from './failure-budget.ts';
import { containerRung, failedNodes, nextRung } from './restart-ladder.ts';
import {
  causeOfPodFailure,
  describeFailure,
  findFinalFailure,
  findReplaceable,
  isReplaceable,
} from './restart-policy.ts';

/** What is wrong, and what the policy makes of it; undefined if nothing is. */
export function decide(context: JobContext): Decision | undefined {
  const cause = findFinalFailure(context);
  const troubles = troublesOf(context);
  if (troubles.failures.some((failure) => needsEvidence(context, failure))) return { is: 'unexamined' };
  if (cause) return { is: 'failed', cause };
  if (!isBroken(troubles)) return exceeded(exceedsBackoffLimit(context, 0));
  if (isFree(troubles)) return { is: 'broken', ...freely(context, troubles) };
  const chosen = nextRung(context, leastScope(context));
  if (!chosen) return { is: 'failed', cause: exhausted(context, troubles) };
  const restart = restartOn(chosen, context, troubles);
  const ends = finallyFailed(context, troubles, restart) ?? overspent(context, troubles, restart);
  return ends ?? { is: 'broken', ...restart };
}

/** All that is wrong with a job's pods. */
interface Troubles {
  /** Those that a digest describes, and pods that went with their node. */
  readonly failures: readonly PodFailure[];
  /** Failed pods beyond those. */
  readonly alike: readonly SimilarFailures[];
  /** Of roles whose restarts do not count, those that were told to stop. */
  readonly interruptedFree: readonly PodFailure[];
  /** Pods that are gone, of roles whose restarts count, and of the others. */
  readonly missing: number;
  readonly missingFree: number;
  /** Of those that are missing and count, what is known of their ends. */
  readonly vanished: readonly PodFailure[];
  /** Pods whose containers were restarted in place as often as the ladder allows. */
  readonly worn: readonly FailedPodIdentity[];
  readonly trouble: JobContext['trouble'];
}

function troublesOf(context: JobContext): Troubles {
  const { roles } = context.plan;
  const counting = roles.filter(isCharged);
  const names = new Set(counting.map(({ name }) => name.toLowerCase()));
  const counts = ({ role }: PodFailure) => names.has(role.toLowerCase());
  const all = context.digest?.failures ?? [];
  const described = all.filter(counts);
  const missingOf = (which: typeof roles) =>
    which.reduce((sum, role) => sum + countMissing(context, role), 0);
  return {
    failures: [...described, ...findLost(context)],
    alike: findSimilar(context).filter(({ like }) => counts(like)),
    interruptedFree: all.filter((failure) => failure.interruptedBy && !counts(failure)),
    missing: missingOf(counting),
    missingFree: missingOf(roles.filter((role) => !isCharged(role))),
    vanished: findVanished(context).filter(counts),
    worn: wornOut(context),
    trouble: context.trouble,
  };
}

function isBroken({ failures, worn, trouble, ...rest }: Troubles): boolean {
  const { interruptedFree, missing, missingFree } = rest;
  const counted = failures.length + missing + worn.length;
  return counted + interruptedFree.length + missingFree > 0 || trouble !== undefined;
}

/** Something is there to look at: pods that are gone have left nothing, and those that go nobody can keep. */
export function hasFailedPod(context: JobContext): boolean {
  const troubles = troublesOf(context);
  const failures = troubles.failures.filter((failure) => !isDeleted(failure));
  return isBroken({ ...troubles, failures, interruptedFree: [], missing: 0, missingFree: 0 });
}

const isDeleted = ({ interruptedBy }: PodFailure) => interruptedBy === 'deletion';

/** Only pods are gone, or told to stop, whose loss the job is not charged for. */
const isFree = (troubles: Troubles) => !isBroken({ ...troubles, interruptedFree: [], missingFree: 0 });

/** What is missing is made again, at no cost. */
export const UNCHARGED: Restart = {
  scope: 'pod',
  rung: 0,
  replace: [],
  roles: [],
  charges: {},
  restarts: 0,
  nodes: [],
  failedOn: [],
  atOnce: true,
};

/** What its node keeps ending waits, as what fails does. */
const freely = (context: JobContext, troubles: Troubles): Restart => ({
  ...UNCHARGED,
  replace: podsToReplace(context, troubles),
  atOnce: troubles.interruptedFree.every(isDeleted),
});

/** A kubelet cannot bring back a pod that has failed. */
const leastScope = ({ trouble }: JobContext): RestartScope => trouble?.least ?? 'pod';

function wornOut(context: JobContext): readonly FailedPodIdentity[] {
  const { times } = containerRung(context) ?? {};
  const inPlace = countInPlace(context.restarts) - (context.forgottenInPlace ?? 0);
  if (times === undefined || inPlace <= times) return [];
  return (context.digest?.restarted ?? []).map(({ pod, uid }) => ({ pod, uid }));
}

function restartOn({ index, rung }: ChosenRung, context: JobContext, troubles: Troubles): Restart {
  const scope = rung.scope === 'container' ? 'pod' : rung.scope;
  const isOfPods = scope === 'pod';
  const charges = isOfPods ? chargesByPod(context, troubles) : { [mainClass(context, troubles)]: 1 };
  return {
    scope,
    rung: index,
    replace: isOfPods ? podsToReplace(context, troubles) : [],
    replaceAlso: isOfPods ? alsoToReplace(context, troubles) : undefined,
    roles: scope === 'role' ? brokenRoles(context, troubles) : [],
    charges,
    restarts: Object.values(charges).reduce((sum, n) => sum + n, 0),
    nodes: nodesOf(context, troubles, scope),
    failedOn: failedOn(context, troubles),
    atOnce: isOfPods && troubles.worn.length === 0 && troubles.failures.every(isDeleted),
  };
}

function podsToReplace(context: JobContext, { worn }: Troubles): readonly FailedPodIdentity[] {
  const failed = [...findReplaceable(context), ...findLost(context)];
  return [...failed.map(({ pod, uid }) => ({ pod, uid })), ...worn];
}

function alsoToReplace(context: JobContext, { alike }: Troubles): Restart['replaceAlso'] {
  const replaceable = alike.filter(({ like }) => isReplaceable(context, like));
  return replaceable.length > 0 ? indicesByRole(replaceable) : undefined;
}

/** One for each pod that is replaced. */
function chargesByPod(context: JobContext, troubles: Troubles): Charges {
  const charges: Record<string, number> = {};
  const charge = (name: string, restarts: number) => {
    if (restarts > 0) charges[name] = (charges[name] ?? 0) + restarts;
  };
  for (const failure of troubles.failures) charge(classOf(context, failure), 1);
  for (const { like, count } of troubles.alike) charge(classOf(context, like), count);
  for (const failure of troubles.vanished) charge(classOf(context, failure), 1);
  charge('infrastructure', troubles.missing - troubles.vanished.length);
  charge('userCode', troubles.worn.length);
  // Pods that did not come back in place are what is the trouble.
  if (troubles.trouble && troubles.worn.length === 0) charge(troubles.trouble.class, 1);
  return charges;
}

/** What the infrastructure takes down takes others with it; otherwise the first failure is what the rest follows from. */
function mainClass(context: JobContext, { failures, missing, vanished, trouble, worn }: Troubles): string {
  if (trouble) return trouble.class;
  const classes = [...failures, ...vanished].map((failure) => classOf(context, failure));
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

/** `gangElsewhere` leaves every node of a failure; otherwise only those that are to blame, if the policy wants that. */
function nodesOf(context: JobContext, troubles: Troubles, scope: RestartScope): readonly string[] {
  if (scope === 'gangElsewhere') return [...failedOn(context, troubles), ...failedNodes(context)];
  if (jobPolicy(context).nodes.avoidForMs === undefined) return [];
  return [...troubles.failures, ...troubles.vanished]
    .filter((failure) => classOf(context, failure) === 'infrastructure' && failure.reason !== DELETED)
    .flatMap(({ node }) => node ?? []);
}

/** Somebody deleted the pod: its node is not to blame. */
const DELETED = 'Deleted';

function failedOn({ digest }: JobContext, { failures, vanished, worn }: Troubles): readonly string[] {
  const uids = new Set(worn.map(({ uid }) => uid));
  const restarted = (digest?.restarted ?? []).filter(({ uid }) => uids.has(uid));
  return [...failures, ...vanished, ...restarted].flatMap(({ node }) => node ?? []);
}

/** Failures that leave no failed pod behind may be final as well. */
function finallyFailed(context: JobContext, troubles: Troubles, { charges }: Restart): Decision | undefined {
  const name = Object.keys(charges).find((one) => rulesFor(context, one).final);
  if (!name) return undefined;
  const rule = policyRule(`failures.classes.${name}.final`, true);
  const reason = troubles.trouble?.reason ?? 'FinalFailure';
  return { is: 'failed', cause: { reason, rule, message: `${wordsOf(troubles)}; ${rule}` } };
}

function overspent(context: JobContext, troubles: Troubles, { charges }: Restart): Decision | undefined {
  const over = findExceeded(context, charges);
  if (over) return { is: 'failed', cause: overBudget(context, troubles, over) };
  return exceeded(exceedsBackoffLimit(context, countedByLimit(context, charges)));
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
  return { reason: 'FailureBudgetExceeded', rule, message: `${wordsOf(troubles)}; ${rule}` };
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
    message: `${wordsOf(troubles)}, after ${made} restarts; ${rule}`,
  };
}

/** What is wrong, in words. */
export function explainTroubles(context: JobContext): string | undefined {
  const troubles = troublesOf(context);
  return isBroken(troubles) ? wordsOf(troubles) : undefined;
}

function wordsOf({ failures, interruptedFree, vanished, alike, trouble, worn }: Troubles): string {
  const told = [...failures, ...vanished, ...interruptedFree];
  const [first] = told;
  const more = told.length + countSimilar(alike) - 1;
  if (first) return `${describeFailure(first)}${more > 0 ? `, and ${more} more` : ''}`;
  if (trouble) return trouble.message;
  if (worn[0]) return `containers of ${worn[0].pod} were restarted in place as often as the ladder allows`;
  return 'pods are gone without having finished';
}
