import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { type Amounts, addAmounts, NOTHING, subtractAmounts } from '../../contracts/pod-requests.ts';
import { addQuantities, amountText, parseQuantity, type Quantity, ZERO } from '../../contracts/quantity.ts';
import { raisedQuota } from '../../contracts/raised-quota.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { heldBy } from '../held-by.ts';
import { isInScope, usageOf } from '../quota-usage.ts';
import { amountOfText, type Rule, waitReason } from '../rule.ts';
import type { ClusterView, Demand, QuotaView, Situation } from '../situation.ts';

/** What ResourceQuotas leave no room for. They count pods when they are created, whether they have a node or not. */
export const quotas: Rule = ({ cluster, demand }) =>
  cluster.quotas.flatMap((quota) => excessOf(quota, { demand, cluster }));

function excessOf(
  quota: QuotaView,
  { demand, cluster }: Pick<Situation, 'demand' | 'cluster'>,
): readonly WaitReason[] {
  const { shapes, objects } = demand;
  const counted = shapes.filter((shape) => quota.scopes.every((scope) => isInScope(scope, shape)));
  const made = quota.scopes.length === 0 ? countsOf(objects) : NOTHING;
  const all = addAmounts(
    usageOf(counted, ({ pods }) => pods),
    made,
  );
  const asked = addAmounts(
    usageOf(counted, ({ pods, created }) => pods - created),
    made,
  );
  const own = usageOf(counted, ({ created }) => created);
  const said = refusalBy(quota, cluster);
  return [...quota.hard].flatMap(([resource, hard]) => {
    const limit = new Map([[resource, hard]]);
    const free = subtractAmounts(limit, quota.used).get(resource)!;
    const missing = asked.get(resource) ?? ZERO;
    const kept = own.get(resource) ?? ZERO;
    const never = neverFitsQuota(quota, resource, all);
    if (never) return [{ ...never, ...said, remedy: neverRemedy(quota, { never, kept, demand }) }];
    if (missing.nanos <= 0n || missing.nanos <= free.nanos) return [];
    const found = exceeded(quota, {
      ...{ resource, needs: missing, has: free, own: kept },
      ...{ demand, cluster },
    });
    return [{ ...found, ...said }];
  });
}

/** What the API server has said of a quota. */
function refusalBy({ name }: QuotaView, { refused }: ClusterView): Pick<WaitReason, 'said'> {
  const found = refused.find(({ message }) => quotaIn(message) === name);
  return found ? { said: found.message } : {};
}

/** The quota that refuses an object, in the words of the API server. */
const quotaIn = (message: string): string | undefined => /exceeded quota: ([^,\s]+)/.exec(message)?.[1];

/** Whether it is a refusal of which quotas say more. */
export const isSaidOfQuotas = (message: string, situation: Situation): boolean => {
  const name = quotaIn(message);
  return name !== undefined && quotas(situation, undefined).some(({ said = '' }) => quotaIn(said) === name);
};

interface Excess {
  readonly resource: string;
  readonly needs: Quantity;
  readonly has: Quantity;
}

/** Returns what no pod that ends can cure: the job needs more of a resource than the quota allows at all. */
export function neverFitsQuota(
  { name, hard }: Pick<QuotaView, 'name' | 'hard'>,
  resource: string,
  all: Amounts,
): WaitReason | undefined {
  const [needs, has] = [all.get(resource) ?? ZERO, hard.get(resource) ?? ZERO];
  const most = subtractAmounts(new Map([[resource, has]]), OF_EACH_NAMESPACE).get(resource)!;
  if (needs.nanos <= most.nanos || needs.nanos <= 0n) return undefined;
  return waitReason(
    'NeverFits',
    `the job needs ${amountOfText(needs, resource)}; the ResourceQuota ${name} allows the namespace ${amountText(has)}${OF_EACH_NAMESPACE.has(resource) ? ', of which the ConfigMap kube-root-ca.crt, which each namespace has, takes 1' : ''}`,
    { resource, needs: amountText(needs), has: amountText(has), who: 'either' },
  );
}

const exceeded = (
  { name, hard, used, scopes: quotaScopes }: QuotaView,
  { resource, needs, has, own, demand: { namespace }, cluster }: Exceeding,
) =>
  waitReason(
    'QuotaExceeded',
    `the job needs ${amountOfText(needs, resource)} more; the ResourceQuota ${name} leaves ${amountText(has.nanos > 0n ? has : ZERO)} of ${amountText(hard.get(resource)!)}, because namespace ${namespace} uses ${amountText(used.get(resource) ?? ZERO)}${own.nanos > 0n ? `, ${amountText(own)} of them for this job` : ''}`,
    {
      ...{ resource, needs: amountText(needs), has: amountText(has.nanos > 0n ? has : ZERO) },
      ...heldBy(holdersOf(cluster, quotaScopes), resource),
      remedy: `${raisedQuota({ name, namespace, resource }, amountText(addQuantities(used.get(resource) ?? ZERO, needs)))} Or wait until others give it back, or request less.`,
    },
  );

interface Exceeding extends Excess, Pick<Situation, 'demand' | 'cluster'> {
  /** What pods of the job that exist have of it. */
  readonly own: Quantity;
}

/** Of the namespace, by name: pods that the quota counts, with nodes or without. */
const holdersOf = ({ claimants = [] }: ClusterView, scopes: QuotaView['scopes']) => ({
  holders: claimants.filter(({ counted }) => scopes.every((scope) => isInScope(scope, counted))),
});

interface NeverGiven extends Pick<Situation, 'demand'> {
  readonly never: WaitReason;
  readonly kept: Quantity;
}

/** Pods that it let in keep what others lack. */
function neverRemedy(
  { name }: QuotaView,
  { never: { resource = '', needs = '' }, kept, demand: { namespace } }: NeverGiven,
): string {
  const least = addQuantities(parseQuantity(needs)!, OF_EACH_NAMESPACE.get(resource) ?? ZERO);
  const keeps =
    kept.nanos > 0n
      ? ` Until then the job keeps ${amountOfText(kept, resource)} of it, which others lack; \`signalbox stop NAME\` gives them back.`
      : '';
  return `Request less, or submit the job to another namespace. ${raisedQuota({ name, namespace, resource }, amountText(least))}${keeps}`;
}

/** What Kubernetes itself has in each namespace: the ConfigMap kube-root-ca.crt. */
const OF_EACH_NAMESPACE: Amounts = countsOf({ [CONFIG_MAPS.plural]: 1 });

function countsOf(objects: Demand['objects']): Amounts {
  return new Map(
    Object.entries(objects).flatMap(([plural, count]): [string, Quantity][] => {
      const amount = parseQuantity(count)!;
      return [
        [plural, amount],
        [`count/${plural}`, amount],
      ];
    }),
  );
}
