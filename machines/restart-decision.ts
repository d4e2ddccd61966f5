import type { PodFailure } from '../contracts/digest.ts';
import type { RestartScope } from '../contracts/policy.ts';
import type { Cause } from '../contracts/status.ts';
import { exceedsBackoffLimit } from './backoff-limit.ts';
import { type Charges, countedByLimit, findExceeded } from './failure-budget.ts';
import { classOf, needsEvidence, rulesFor } from './failure-class.ts';
import { countInPlace, countRestarts, type JobContext } from './job-context.ts';
import type { PodIdentity } from './job-events.ts';
import { findLost } from './lost-nodes.ts';
import { policyOf, policyRule } from './policy.ts';
import { type ChosenRung, containerRung, failedNodes, nextRung } from './restart-ladder.ts';
import { causeOf, describeFailure, findFinalFailure, findReplaceable } from './restart-policy.ts';
import { countMissing, digestOf, isCharged } from './role-counts.ts';

/** What a failure leads to. */
export type Decision =
  | { readonly is: 'failed'; readonly cause: Cause }
  | ({ readonly is: 'broken' } & Restart)
  /** Evidence must be taken before it can be told what the failure is. */
  | { readonly is: 'unexamined' };

export interface Restart {
  readonly scope: Exclude<RestartScope, 'container'>;
  /** Of the ladder. */
  readonly rung: number;
  /** Pods to delete, where it is about single pods. */
  readonly replace: readonly PodIdentity[];
  /** In lower case, where it is about whole roles. */
  readonly roles: readonly string[];
  readonly charges: Charges;
  /** How many restarts it is. */
  readonly restarts: number;
  /** Where what failed had run, if the policy wants later pods to keep away from there. */
  readonly nodes: readonly string[];
  /** Where what failed had run. */
  readonly failedOn: readonly string[];
}

/** What is wrong, and what the policy makes of it; undefined if nothing is. */
export function decide(context: JobContext): Decision | undefined {
  const cause = findFinalFailure(context);
  const troubles = troublesOf(context);
  if (troubles.failures.some((failure) => needsEvidence(context, failure))) return { is: 'unexamined' };
  if (cause) return { is: 'failed', cause };
  if (!isBroken(troubles)) return exceeded(exceedsBackoffLimit(context, 0));
  if (isFree(troubles)) return { is: 'broken', ...UNCHARGED };
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
  readonly others: number;
  /** Pods that are gone, of roles whose restarts count, and of the others. */
  readonly missing: number;
  readonly missingFree: number;
  /** Pods whose containers were restarted in place as often as the ladder allows. */
  readonly worn: readonly PodIdentity[];
  readonly trouble: JobContext['trouble'];
}

function troublesOf(context: JobContext): Troubles {
  const { roles } = context.plan;
  const counting = roles.filter(isCharged);
  const names = new Set(counting.map(({ name }) => name.toLowerCase()));
  const described = (context.digest?.failures ?? []).filter(({ role }) => names.has(role.toLowerCase()));
  const failed = counting.reduce((sum, role) => sum + digestOf(context, role).failed, 0);
  const missingOf = (which: typeof roles) =>
    which.reduce((sum, role) => sum + countMissing(context, role), 0);
  return {
    failures: [...described, ...findLost(context)],
    others: Math.max(0, failed - described.length),
    missing: missingOf(counting),
    missingFree: missingOf(roles.filter((role) => !isCharged(role))),
    worn: wornOut(context),
    trouble: context.trouble,
  };
}

function isBroken({ failures, others, missing, missingFree, worn, trouble }: Troubles): boolean {
  return failures.length + others + missing + missingFree + worn.length > 0 || trouble !== undefined;
}

/** Something is there to look at: pods that are gone have left nothing. */
export const hasFailed = (context: JobContext) =>
  isBroken({ ...troublesOf(context), missing: 0, missingFree: 0 });

/** Only pods are gone whose loss the job is not charged for. */
const isFree = (troubles: Troubles) => !isBroken({ ...troubles, missingFree: 0 });

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
};

/** A kubelet cannot bring back a pod that has failed. */
const leastScope = ({ trouble }: JobContext): RestartScope => trouble?.least ?? 'pod';

function wornOut(context: JobContext): readonly PodIdentity[] {
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
    roles: scope === 'role' ? brokenRoles(context, troubles) : [],
    charges,
    restarts: Object.values(charges).reduce((sum, n) => sum + n, 0),
    nodes: nodesOf(context, troubles, scope),
    failedOn: failedOn(context, troubles),
  };
}

function podsToReplace(context: JobContext, { worn }: Troubles): readonly PodIdentity[] {
  const failed = [...findReplaceable(context), ...findLost(context)];
  return [...failed.map(({ pod, uid }) => ({ pod, uid })), ...worn];
}

/** One for each pod that is replaced; of failures that nobody describes it is taken that they are like the first. */
function chargesByPod(context: JobContext, troubles: Troubles): Charges {
  const charges: Record<string, number> = {};
  const charge = (name: string, restarts: number) => {
    if (restarts > 0) charges[name] = (charges[name] ?? 0) + restarts;
  };
  for (const failure of troubles.failures) charge(classOf(context, failure), 1);
  charge(mainClass(context, troubles), troubles.others);
  charge('infrastructure', troubles.missing);
  charge('userCode', troubles.worn.length);
  // Pods that did not come back in place are what is the trouble.
  if (troubles.trouble && troubles.worn.length === 0) charge(troubles.trouble.class, 1);
  return charges;
}

/** What the infrastructure takes down takes others with it; otherwise the first failure is what the rest follows from. */
function mainClass(context: JobContext, { failures, missing, trouble, worn }: Troubles): string {
  if (trouble) return trouble.class;
  const classes = failures.map((failure) => classOf(context, failure));
  if (missing > 0 || classes.includes('infrastructure')) return 'infrastructure';
  return classes[0] ?? (worn.length > 0 ? 'userCode' : 'infrastructure');
}

function brokenRoles(context: JobContext, { failures, worn }: Troubles): readonly string[] {
  const restarted = new Map((context.digest?.restarted ?? []).map(({ uid, role }) => [uid, role]));
  const named = [...failures.map(({ role }) => role), ...worn.map(({ uid }) => restarted.get(uid) ?? '')];
  const broken = new Set(named.map((role) => role.toLowerCase()));
  const lacking = context.plan.roles.filter((role) => {
    const { unplaced, placed, leaving } = digestOf(context, role);
    return countMissing(context, role) > 0 || (context.trouble && unplaced + placed + leaving > 0);
  });
  for (const { name } of lacking) broken.add(name.toLowerCase());
  return [...broken].sort();
}

/** `gangElsewhere` leaves every node of a failure; otherwise only those that are to blame, if the policy wants that. */
function nodesOf(context: JobContext, troubles: Troubles, scope: RestartScope): readonly string[] {
  if (scope === 'gangElsewhere') return [...failedOn(context, troubles), ...failedNodes(context)];
  if (policyOf(context).nodes.avoidForMs === undefined) return [];
  return troubles.failures
    .filter((failure) => classOf(context, failure) === 'infrastructure')
    .flatMap(({ node }) => node ?? []);
}

function failedOn({ digest }: JobContext, { failures, worn }: Troubles): readonly string[] {
  const uids = new Set(worn.map(({ uid }) => uid));
  const restarted = (digest?.restarted ?? []).filter(({ uid }) => uids.has(uid));
  return [...failures, ...restarted].flatMap(({ node }) => node ?? []);
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
  const failure = troubles.failures.find((one) => classOf(context, one) === over.class);
  if (failure) return causeOf(failure, { reason: 'FailureBudgetExceeded', rule });
  return { reason: 'FailureBudgetExceeded', rule, message: `${wordsOf(troubles)}; ${rule}` };
}

function exhausted(context: JobContext, troubles: Troubles): Cause {
  const scopes = policyOf(context).restart.ladder.map(({ scope }) => scope);
  const rule = policyRule('restart.ladder', scopes.join(', '));
  const [failure] = troubles.failures;
  if (failure) return causeOf(failure, { reason: 'RestartsExhausted', rule });
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

function wordsOf({ failures, others, trouble, worn }: Troubles): string {
  const [first] = failures;
  const more = failures.length + others - 1;
  if (first) return `${describeFailure(first)}${more > 0 ? `, and ${more} more` : ''}`;
  if (trouble) return trouble.message;
  if (worn[0]) return `containers of ${worn[0].pod} were restarted in place as often as the ladder allows`;
  return 'pods are gone without having finished';
}
