import type { PodFailure } from '../../contracts/digest.ts';
import type { Cause } from '../../contracts/types.ts';
import { explainCrash } from '../failures/crash.ts';
import { placeOfEnd, placeOfTrouble } from '../failures/place-of-end.ts';
import { findVanished } from '../failures/vanished.ts';
import { countRestarts, type JobContext } from '../model/job-context.ts';
import { runPolicyOf } from '../model/policy.ts';
import { runPolicyRule } from '../model/run-policy-rule.ts';
import { findLost } from '../nodes/lost-nodes.ts';
import { isCounted } from './reactions.ts';
import { describeFailure } from './restart-policy.ts';

/**
 * backoffLimit is the number of restarts of a job, by the kubelet in place or by signalbox replacing a pod. Returns the
 * cause if `wanted` more would exceed it.
 */
export function exceedsBackoffLimit(context: JobContext, wanted: number): Cause | undefined {
  const { backoffLimit } = runPolicyOf(context);
  if (backoffLimit === undefined) return undefined;
  const rule = runPolicyRule(context.plan, 'backoffLimit', backoffLimit);
  const made = countRestarts(context.restarts) - (context.exempt ?? 0);
  return exceeds(context, { made, wanted, most: backoffLimit, rule });
}

/** The same for the limit of kinds that count only what signalbox restarts. */
export function exceedsRestartLimit(context: JobContext, wanted: number): Cause | undefined {
  const { restartLimit } = context.plan;
  if (!restartLimit || wanted === 0) return undefined;
  const made = context.restarts.replaced - (context.exempt ?? 0);
  return exceeds(context, { made: Math.max(0, made), wanted, ...restartLimit });
}

interface Limit {
  readonly made: number;
  readonly wanted: number;
  readonly most: number;
  readonly rule: string;
}

function exceeds(context: JobContext, { made, wanted, most, rule }: Limit): Cause | undefined {
  if (made + wanted <= most) return undefined;
  const first = wanted > 0 ? countedFailures(context)[0] : undefined;
  return {
    reason: 'BackoffLimitExceeded',
    rule,
    message: `${textOfCounts(made + wanted, most, wanted)}; ${why(context, first, wanted)}; ${rule}`,
    ...placeOfRestart(context, first, wanted),
  };
}

/** If no restart is wanted now, the kubelet made those that exceed the limit. */
function placeOfRestart(
  { digest, trouble }: JobContext,
  failure: PodFailure | undefined,
  wanted: number,
): Partial<Cause> {
  const end = wanted === 0 && digest?.crash ? digest.crash : failure;
  if (end) return placeOfEnd(end);
  return wanted > 0 ? placeOfTrouble(trouble) : {};
}

/** Returns the failures whose restarts count. */
const countedFailures = (context: JobContext): readonly PodFailure[] =>
  [...(context.digest?.failures ?? []), ...findLost(context), ...findVanished(context)].filter((failure) =>
    isCounted(context, failure),
  );

/** The kubelet restarts containers in place at once, and stops when the pod is deleted. */
const textOfCounts = (restarts: number, limit: number, wanted: number): string =>
  wanted
    ? `${countOf(restarts)} needed, ${limit} allowed`
    : `more than ${countOf(limit)}: the kubelet had made ${restarts} before the job could be stopped`;

const countOf = (restarts: number) => (restarts === 1 ? '1 restart' : `${restarts} restarts`);

function why({ trouble, digest }: JobContext, failure: PodFailure | undefined, wanted: number): string {
  if (failure) return describeFailure(failure);
  if (trouble && wanted) return trouble.message;
  if (wanted) return 'pods disappeared before they finished';
  return digest?.crash ? explainCrash(digest.crash) : 'containers were restarted in place';
}
