import { GANG_GATE } from '../../contracts/labels.ts';
import type { WaitReason } from '../../contracts/types.ts';
import { ownValue } from '../../language/fields.ts';
import { withPlace } from '../queue-place.ts';
import { podsText, type Rule, unplacedOf, waitReason } from '../rule.ts';
import type { Demand, QueueView, SchedulerView, Situation, WaitingPod } from '../situation.ts';

/** The group of a gang: missing, not admitted, or not the only scheduler of its pods. */
export const groups: Rule = ({ cluster: { group }, demand, own }, placement) => {
  if (!group) return [];
  const mixed = group.others.map((other) => waitReason('MixedSchedulers', other));
  const arePodsThere = demand.waiting.length > 0;
  if (!group.exists && arePodsThere && own)
    return [
      waitReason(
        'GroupMissing',
        `the group ${group.name} of ${group.scheduler} does not exist, so its pods are no gang`,
      ),
      ...mixed,
    ];
  // Without room the scheduler's words are said with that.
  if (group.exists && group.admitted === false && placement?.now.fits !== 'no')
    return [
      ...mixed,
      waitReason('WaitingForQueue', `${group.scheduler} has not admitted the group ${group.name}`, {
        said: group.message,
      }),
    ];
  return mixed;
};

/** What a queue of others says, in its own words. */
export const queues: Rule = ({ cluster: { queue } }) =>
  queue === undefined || queue.code === 'NeverFits'
    ? []
    : [
        waitReason(queue.code, queueText(queue), {
          said: queue.message,
          since: queue.since,
          place: queue.place,
        }),
      ];

function queueText({ of, code, isDeactivated, message, place }: QueueView): string {
  if (isDeactivated) return `the job is deactivated in ${of}`;
  if (code === 'QueueClosed') return `the queue of ${of} does not exist, or takes no such jobs`;
  const isAsked = message !== undefined;
  return withPlace(isAsked ? `${of} has not admitted the job` : `${of} has to admit the job first`, place);
}

/** Gates that others have to lift. Schedulers do not look at such a pod. */
export const gates: Rule = ({ demand, cluster }) => {
  const isOfOthers = (gate: string) => gate !== cluster.queue?.gate && gate !== GANG_GATE;
  const created = Map.groupBy(
    demand.waiting.flatMap(({ gates: names, createdAt }) =>
      names.filter(isOfOthers).map((gate) => ({ gate, createdAt })),
    ),
    ({ gate }) => gate,
  );
  const planned = demand.shapes.flatMap((shape) =>
    unplacedOf(shape) > 0 && shape.created === 0
      ? shape.gates.filter(isOfOthers).map((gate) => [gate, shape.pods] as const)
      : [],
  );
  const ofPods = [...created].map(([gate, pods]) =>
    waitReason('SchedulingGated', `the scheduling gate ${gate} holds ${podsText(pods.length)} back`, {
      since: pods.map(({ createdAt }) => createdAt).sort()[0],
    }),
  );
  const ofShapes = planned.map(([gate, pods]) =>
    waitReason(
      'SchedulingGated',
      `the scheduling gate ${gate} will hold ${podsText(pods)} back until its owner lifts it`,
    ),
  );
  return [...ofPods, ...ofShapes];
};

/** A scheduler looks at a pod within seconds. */
const UNSEEN_MS = 30_000;
/** Schedulers renew their lease every few seconds. */
const LEASE_MS = 60_000;

/** Pods of which no scheduler has said anything, although it has all that it waits for before it looks at them. */
export const schedulers: Rule = (situation) => {
  const { at, demand, cluster, own } = situation;
  if (!own) return unknownSchedulers(situation);
  if (isGangIncomplete(demand) || cluster.missing.some(({ kind }) => CLAIMS.has(kind))) return [];
  if (cluster.volumes.some(({ isChosen }) => isChosen)) return [];
  const unseen = demand.waiting.filter(
    ({ gates: names, scheduler, createdAt }) =>
      names.length === 0 && !scheduler && at - Date.parse(createdAt) > UNSEEN_MS,
  );
  return [...Map.groupBy(unseen, ({ schedulerName }) => schedulerName)].map(([name, pods]) =>
    silent(name, pods, situation),
  );
};

/** Before a job is submitted only the lease of a scheduler says that it runs; one without may run all the same. */
const unknownSchedulers = ({ at, demand, cluster }: Situation): readonly WaitReason[] =>
  [...new Set(demand.shapes.map(({ schedulerName }) => schedulerName))].flatMap((name) => {
    const lease = ownValue(cluster.schedulers, name);
    if (!lease || isCurrent(lease, at)) return [];
    return [
      waitReason('NotComputed', `whether a scheduler ${name} runs is not known${leaseText(lease, at)}`, {
        remedy: otherScheduler(name),
      }),
    ];
  });

const isCurrent = ({ renewedAt = '' }: SchedulerView, at: number): boolean =>
  at - Date.parse(renewedAt) <= LEASE_MS;

/** A scheduler of gangs does not look at the first members before the last one exists. */
const isGangIncomplete = ({ shapes, minMember }: Demand): boolean =>
  minMember > 1 && shapes.reduce((sum, { created }) => sum + created, 0) < minMember;

/** Pods wait unseen for devices whose claim or template does not exist. */
const CLAIMS: ReadonlySet<string> = new Set(['ResourceClaim', 'ResourceClaimTemplate']);

function silent(name: string, pods: readonly WaitingPod[], { cluster, at }: Situation): WaitReason {
  const since = pods.map(({ createdAt }) => createdAt).sort()[0];
  const said = `the scheduler ${name} has said nothing of ${podsText(pods.length)}`;
  return waitReason('SchedulerSilent', `${said}${leaseText(ownValue(cluster.schedulers, name), at)}`, {
    ...{ since, remedy: otherScheduler(name) },
  });
}

const otherScheduler = (name: string): string =>
  `If it does not run: remove schedulerName ${name} from the pod templates, or name one that does. Or an administrator of the cluster can install it.`;

/** Whether it runs, as far as its lease says. */
function leaseText(lease: SchedulerView | undefined, at: number): string {
  if (!lease) return '';
  const { name, renewedAt } = lease;
  if (renewedAt === undefined) return `; there is no Lease ${name}`;
  return isCurrent(lease, at)
    ? '; its Lease is current, so it runs'
    : `; its Lease was last renewed at ${renewedAt}`;
}
