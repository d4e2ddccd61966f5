import type { Shortage } from '../../contracts/digest.ts';
import type { Amounts } from '../../contracts/pod-requests.ts';
import { amountText, type Quantity, ZERO } from '../../contracts/quantity.ts';
import { compareText } from '../../language/compare-text.ts';
import type { PodFacts } from '../pods/pod-facts.ts';
import { sumOfRequests } from '../pods/requested.ts';

/** What nodes have for pods, by resource. */
export interface Capacity {
  readonly total: Amounts;
  /** At most on one node. */
  readonly largest: Amounts;
}

/**
 * Returns the resources of which one pod requests more than any node has, and those of which all pods of the job request more than
 * all nodes together have: however long it waits, that pod, or the whole, cannot be placed. `capacity` is undefined where the watcher
 * may not read nodes. Nodes that change do not make a digest: the scheduler then tries the waiting pods again, which does.
 */
export function shortagesOf(
  pods: readonly PodFacts[],
  capacity: Capacity | undefined,
): Shortage[] | undefined {
  const unscheduled = pods.filter(({ state }) => state === 'unscheduled');
  if (!capacity || unscheduled.length === 0) return undefined;
  const ofOne = [...Map.groupBy(unscheduled, ({ requested }) => requested).values()].flatMap((alike) => {
    const role = [...new Set(alike.map((pod) => pod.role))].sort(compareText).join(' and ');
    return shortIn(sumOfRequests(alike.slice(0, 1)), capacity.largest).map((one) => ({ ...one, role }));
  });
  const together = sumOfRequests(pods.filter(({ state }) => HOLDING.has(state)));
  const ofAll = shortIn(together, capacity.total).filter(
    ({ resource }) => !ofOne.some((one) => one.resource === resource),
  );
  const short = [...ofOne, ...ofAll];
  return short.length > 0 ? short : undefined;
}

const shortIn = (needs: Amounts, has: Amounts): Shortage[] =>
  [...needs].flatMap(([resource, amount]) => {
    const most = has.get(resource) ?? ZERO;
    if (amount.nanos <= most.nanos) return [];
    return [{ resource, needs: amountText(amount), has: amountText(roughly(most)) }];
  });

/** Pods that are being deleted make room for those that replace them. */
const HOLDING: ReadonlySet<PodFacts['state']> = new Set(['unscheduled', 'scheduled', 'ready']);

/** Nodes have odd numbers of Ki: less is close enough, and still less than the job needs. */
const roughly = (has: Quantity): Quantity =>
  has.family === 'binary' && has.nanos > GI ? { ...has, nanos: has.nanos - (has.nanos % GI) } : has;

const GI = 2n ** 30n * 1_000_000_000n;
