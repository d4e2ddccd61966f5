import type { Shortage } from '../../contracts/digest.ts';
import type { Amounts } from '../../contracts/pod-requests.ts';
import { amountText, type Quantity, ZERO } from '../../contracts/quantity.ts';
import type { PodFacts } from '../pods/pod-facts.ts';
import { sumOfRequests } from '../pods/requested.ts';

/**
 * Returns the resources of which a job requests more than all nodes together have: it cannot be placed as a whole, however
 * long it waits. `capacity` is undefined where the watcher may not read nodes. Nodes that change do not make a digest: the
 * scheduler then tries the waiting pods again, which does.
 */
export function shortagesOf(
  pods: readonly PodFacts[],
  capacity: Amounts | undefined,
): Shortage[] | undefined {
  if (!capacity || !pods.some(({ state }) => state === 'unscheduled')) return undefined;
  const needs = sumOfRequests(pods.filter(({ state }) => HOLDING.has(state)));
  const short = [...needs].flatMap(([resource, amount]) => {
    const has = capacity.get(resource) ?? ZERO;
    return amount.nanos > has.nanos
      ? [{ resource, needs: amountText(amount), has: amountText(roughly(has)) }]
      : [];
  });
  return short.length > 0 ? short : undefined;
}

/** Pods that are being deleted make room for those that replace them. */
const HOLDING: ReadonlySet<PodFacts['state']> = new Set(['unscheduled', 'scheduled', 'ready']);

/** Nodes have odd numbers of Ki: less is close enough, and still less than the job needs. */
const roughly = (has: Quantity): Quantity =>
  has.family === 'binary' && has.nanos > GI ? { ...has, nanos: has.nanos - (has.nanos % GI) } : has;

const GI = 2n ** 30n * 1_000_000_000n;
