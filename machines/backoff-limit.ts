import type { Cause } from '../contracts/status.ts';
import { countRestarts, type JobContext } from './job-context.ts';
import { describeFailure } from './restart-policy.ts';

/**
 * backoffLimit is the number of restarts that a job may have, whoever makes them: the kubelet in place, or signalbox by
 * replacing a pod. `wanted` more would be too many: the cause; else undefined.
 */
export function exceedsBackoffLimit(context: JobContext, wanted: number): Cause | undefined {
  const { backoffLimit } = context.plan.runPolicy;
  if (backoffLimit === undefined) return undefined;
  const restarts = countRestarts(context.restarts);
  if (restarts + wanted <= backoffLimit) return undefined;
  const first = context.digest?.failures[0];
  const rule = `spec.runPolicy.backoffLimit: ${backoffLimit}`;
  const why = first ? describeFailure(first) : 'containers were restarted in place';
  return {
    reason: 'BackoffLimitExceeded',
    rule,
    message: `${restarts + wanted} restarts would be more than the limit; ${why}; ${rule}`,
    pod: first?.pod,
    node: first?.node,
    container: first?.container,
    exitCode: first?.exitCode,
    signal: first?.signal,
  };
}
