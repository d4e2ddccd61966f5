import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import {
  type Amounts,
  addAmounts,
  multiplyAmounts,
  NOTHING,
  subtractAmounts,
} from '../../contracts/pod-requests.ts';
import { amountText, parseQuantity, type Quantity, ZERO } from '../../contracts/quantity.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { heldBy } from '../held-by.ts';
import { type Rule, waitReason } from '../rule.ts';
import type { ClusterView, Demand, PodShape, QuotaScope, QuotaView, Situation } from '../situation.ts';

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
  const over = [...quota.hard].flatMap(([resource, hard]) => {
    const limit = new Map([[resource, hard]]);
    const free = subtractAmounts(limit, quota.used).get(resource)!;
    const missing = asked.get(resource) ?? ZERO;
    const never = neverFitsQuota(quota, resource, all);
    if (never) return [never];
    if (missing.nanos > 0n && missing.nanos > free.nanos)
      return [
        exceeded(quota, {
          ...{ resource, needs: missing, has: free, own: own.get(resource) ?? ZERO },
          ...{ demand, cluster },
        }),
      ];
    return [];
  });
  return over;
}

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
    `the job needs ${countText(needs, resource)}; the ResourceQuota ${name} allows the namespace ${amountText(has)}${OF_EACH_NAMESPACE.has(resource) ? ', of which the ConfigMap kube-root-ca.crt, which each namespace has, takes 1' : ''}`,
    { resource, needs: amountText(needs), has: amountText(has), who: 'either' },
  );
}

const exceeded = (
  { name, hard, used }: QuotaView,
  { resource, needs, has, own, demand: { namespace }, cluster }: Exceeding,
) =>
  waitReason(
    'QuotaExceeded',
    `the job needs ${countText(needs, resource)} more; the ResourceQuota ${name} leaves ${amountText(has.nanos > 0n ? has : ZERO)} of ${amountText(hard.get(resource)!)}, because namespace ${namespace} uses ${amountText(used.get(resource) ?? ZERO)}${own.nanos > 0n ? `, ${amountText(own)} of them for this job` : ''}`,
    {
      ...{ resource, needs: amountText(needs), has: amountText(has.nanos > 0n ? has : ZERO) },
      ...heldBy(holdersIn(cluster, namespace), resource.replace(/^(requests\.|count\/)/, '')),
    },
  );

interface Exceeding extends Excess, Pick<Situation, 'demand' | 'cluster'> {
  /** What pods of the job that exist have of it. */
  readonly own: Quantity;
}

/** Of the namespace, by name, as far as their pods have nodes. */
const holdersIn = ({ holders }: ClusterView, namespace: string) => ({
  holders: holders.filter(
    ({ who }) => who.startsWith(`job/${namespace}/`) || who.startsWith(`${namespace}/`),
  ),
});

/** Of objects, one is in the singular. */
const countText = (amount: Quantity, resource: string): string => {
  const count = amountText(amount);
  return `${count} ${count === '1' && COUNTED.test(resource) ? resource.replace(/s$/, '') : resource}`;
};

const COUNTED = /^(count\/)?(pods|services|configmaps|secrets|persistentvolumeclaims)$/;

/** By the names that quotas have for it. */
export const usageOf = (shapes: readonly PodShape[], countOf: (shape: PodShape) => number): Amounts =>
  shapes.map((shape) => multiplyAmounts(usageOfOne(shape), countOf(shape))).reduce(addAmounts, NOTHING);

function usageOfOne({ requests, limits }: PodShape): Amounts {
  const named = [...requests].flatMap(([resource, amount]): [string, Quantity][] => {
    if (resource === 'pods')
      return [
        ['pods', amount],
        ['count/pods', amount],
      ];
    return [
      [`requests.${resource}`, amount],
      ...(PLAIN.test(resource) ? [[resource, amount] as [string, Quantity]] : []),
    ];
  });
  const limited = [...limits].map(([resource, amount]): [string, Quantity] => [`limits.${resource}`, amount]);
  return new Map([...named, ...limited]);
}

/** Resources that a quota may also name without `requests.`. */
const PLAIN = /^(cpu|memory|ephemeral-storage|hugepages-.*)$/;

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

/** Whether a quota counts such pods. */
function isInScope({ scopeName, operator = 'Exists', values = [] }: QuotaScope, shape: PodShape): boolean {
  switch (scopeName) {
    case 'Terminating':
      return shape.hasDeadline;
    case 'NotTerminating':
      return !shape.hasDeadline;
    case 'BestEffort':
      return isBestEffort(shape);
    case 'NotBestEffort':
      return !isBestEffort(shape);
    case 'CrossNamespacePodAffinity':
      return shape.reachesNamespaces;
    case 'PriorityClass':
      return isOfClass(shape.priorityClassName, operator, values);
    default:
      return false;
  }
}

/** Whether a quota that counts one counts the other, whatever its scopes are. */
export const areCountedAlike = (a: PodShape, b: PodShape): boolean =>
  a.hasDeadline === b.hasDeadline &&
  isBestEffort(a) === isBestEffort(b) &&
  a.reachesNamespaces === b.reachesNamespaces &&
  a.priorityClassName === b.priorityClassName;

const isBestEffort = ({ requests, limits }: PodShape) =>
  ![...requests, ...limits].some(
    ([resource, { nanos }]) => nanos > 0n && (resource === 'cpu' || resource === 'memory'),
  );

function isOfClass(name: string | undefined, operator: string, values: readonly string[]): boolean {
  if (operator === 'Exists') return name !== undefined;
  if (operator === 'DoesNotExist') return name === undefined;
  return operator === 'In' ? values.includes(name ?? '') : !values.includes(name ?? '');
}
