import type { ConfigMap, KubeObject, Pod } from '../../contracts/kubernetes.ts';
import { workflowIdOf } from '../../contracts/labels.ts';
import { type LaneRecord, parseLaneRecord } from '../../contracts/lane-record.ts';
import { STATUS_QUERY } from '../../contracts/messages.ts';
import { anchorUidOf, attemptOf } from '../../contracts/objects.ts';
import { hasPodEnded, isBehindGangGate, isReplica } from '../../contracts/pod.ts';
import { parseQuantity } from '../../contracts/quantity.ts';
import type { JobStatus } from '../../contracts/types.ts';
import type { Change } from './api-server.ts';
import {
  hasGangs,
  hasLanes,
  LANES_AT,
  LIMIT_PODS,
  POOL_PODS,
  type QueueChoice,
  rivalName,
} from './queues.ts';
import type { World } from './world.ts';

interface Job {
  readonly namespace: string;
  readonly name: string;
}

/** What must hold of lanes and gated gangs, judged by what the API server has stored in its order. */
export class QueueChecks {
  readonly #world: World;
  readonly #queue: QueueChoice;
  readonly #subject: Job;

  constructor(world: World, queue: QueueChoice, subject: Job) {
    this.#world = world;
    this.#queue = queue;
    this.#subject = subject;
  }

  /** A job that is suspended, and has no pods, holds nothing of its lane. */
  async checkSuspended(): Promise<void> {
    const { temporal, server } = this.#world;
    const run = temporal.last(workflowIdOf(this.#subject));
    if (!hasLanes(this.#queue) || !run?.isOpen || run.tasks === 0) return;
    const { state } = (await run.query(STATUS_QUERY, [])) as JobStatus;
    if (state !== 'Suspended.Resting') return;
    const held = server.all<ConfigMap>('configmaps').flatMap((one) => recordOf(one) ?? []);
    for (const { namespace, place } of held)
      if (namespace === this.#subject.namespace && place)
        throw new Error(`violated: a suspended job has a place in its lane: ${JSON.stringify(place)}`);
  }

  /** What was broken. `healedAt`: from then on nothing goes wrong. */
  broken(healedAt: number): string[] {
    const { changes } = this.#world.server;
    const lanes = hasLanes(this.#queue) ? [...new LaneHistory(this.#queue, changes).broken()] : [];
    const gangs = hasGangs(this.#queue) ? [...new GangHistory(changes).broken(healedAt)] : [];
    return [...lanes, ...gangs, ...this.#left()].map((what) => `violated: ${what}`);
  }

  /** Nothing is left in lanes once no pods are left. */
  #left(): string[] {
    const { server } = this.#world;
    return server.all<ConfigMap>('configmaps').flatMap((one) => {
      const record = recordOf(one);
      return record ? [`a record is left in a lane: ${JSON.stringify(record)}`] : [];
    });
  }
}

const recordOf = (one: ConfigMap): LaneRecord | undefined =>
  one.metadata.namespace === LANES_AT.namespace ? parseLaneRecord(one, LANES_AT) : undefined;

/** The present objects of a kind, change by change. */
class Present<T extends KubeObject> {
  readonly all = new Map<string, T>();

  take({ before, after }: Change): void {
    const { namespace, name } = (after ?? before)!.metadata;
    const key = `${namespace}/${name}`;
    if (after) this.all.set(key, after as T);
    else this.all.delete(key);
  }
}

class LaneHistory {
  readonly #lanes: ReadonlyMap<string, 'a' | 'b'>;
  readonly #changes: readonly Change[];
  readonly #pods = new Present<Pod>();
  readonly #records = new Map<string, LaneRecord>();
  /** When an attempt took its place. */
  readonly #taken = new Map<string, number>();

  constructor({ lane, rivals }: QueueChoice, changes: readonly Change[]) {
    const ofRivals = rivals.map((rival, index) => [rivalName(index).namespace, rival.lane] as const);
    this.#lanes = new Map([['team-a', lane], ...ofRivals]);
    this.#changes = changes;
  }

  *broken(): Generator<string> {
    for (const change of this.#changes) {
      const when = `at ${new Date(change.at).toISOString()}`;
      if (change.plural === 'pods') {
        this.#pods.take(change);
        if (change.before || !change.after) continue;
        const pod = change.after as Pod;
        const { namespace = '', name } = pod.metadata;
        const record = [...this.#records.values()].find((one) => one.anchorUid === anchorUidOf(pod));
        if (record?.place?.takenAt === undefined)
          yield `${name} of ${namespace} is made without a place in its lane ${when}: ${JSON.stringify(record)}`;
        for (const wrong of this.#overfull(this.#podsByLane())) yield `pods have ${wrong} ${when}`;
      }
      if (change.plural === 'configmaps') {
        const record = recordOf((change.after ?? change.before) as ConfigMap);
        if (!record) continue;
        if (change.after) this.#records.set(record.anchorUid, record);
        else this.#records.delete(record.anchorUid);
        yield* this.#takenTwice(record);
        if (change.after)
          for (const wrong of this.#overfull(this.#placesByLane())) yield `places have ${wrong} ${when}`;
      }
    }
  }

  *#takenTwice({ anchorUid, place }: LaneRecord): Generator<string> {
    if (place?.takenAt === undefined) return;
    const key = `${anchorUid}/${place.attempt}`;
    const before = this.#taken.get(key);
    if (before !== undefined && before !== place.takenAt)
      yield `attempt ${place.attempt} took its place at ${before} and at ${place.takenAt}`;
    this.#taken.set(key, place.takenAt);
  }

  *#overfull(used: Readonly<Record<'a' | 'b', number>>): Generator<string> {
    const sum = used.a + used.b;
    if (sum > POOL_PODS) yield `${sum} of ${POOL_PODS} in the pool`;
    for (const lane of ['a', 'b'] as const)
      if (used[lane] > LIMIT_PODS[lane]) yield `${used[lane]} of ${LIMIT_PODS[lane]} in lane ${lane}`;
  }

  #podsByLane() {
    const used = { a: 0, b: 0 };
    for (const pod of this.#pods.all.values()) {
      const lane = this.#lanes.get(pod.metadata.namespace ?? '');
      if (lane && !hasPodEnded(pod)) used[lane] += 1;
    }
    return used;
  }

  #placesByLane() {
    const used = { a: 0, b: 0 };
    // Of a job that has ended only pods count.
    for (const { namespace, place, request, hasEnded } of this.#records.values()) {
      const lane = this.#lanes.get(namespace);
      const pods = Number((parseQuantity(request.demand.pods ?? '0')?.nanos ?? 0n) / 1_000_000_000n);
      if (lane && !hasEnded && place?.takenAt !== undefined) used[lane] += pods;
    }
    return used;
  }
}

/** A gang that is partly lifted for longer is left so. */
const LIFTED_WITHIN_MS = 180_000;
/** Its job has rolled it back by then, or holds up nobody any more. */
const PLACED_WITHIN_MS = 60_000;

interface Lift {
  readonly since: number;
  readonly name: string;
}

class GangHistory {
  readonly #changes: readonly Change[];
  readonly #pods = new Present<Pod>();
  /** Attempts whose first gate was lifted, by anchor and attempt. */
  readonly #lifts = new Map<string, Lift>();
  readonly #partlySince = new Map<string, number>();

  constructor(changes: readonly Change[]) {
    this.#changes = changes;
  }

  *broken(healedAt: number): Generator<string> {
    for (const change of this.#changes) {
      if (change.plural !== 'pods') continue;
      const before = change.before as Pod | undefined;
      const after = change.after as Pod | undefined;
      this.#pods.take(change);
      const key = keyOf(after ?? before!);
      if (before && after && isBehindGangGate(before) && !isBehindGangGate(after)) {
        if (!this.#lifts.has(key)) {
          yield* this.#liftedBeside(key, change.at);
          this.#lifts.set(key, { since: change.at, name: after.metadata.name });
        }
      }
      yield* this.#leftPartly(key, change.at, healedAt);
    }
  }

  /** One gang at a time: two would hold half of the nodes each. */
  *#liftedBeside(key: string, at: number): Generator<string> {
    for (const [other, { since, name }] of this.#lifts) {
      if (other === key || at > since + PLACED_WITHIN_MS) continue;
      const members = this.#members(other);
      if (members.some(({ spec }) => spec.nodeName === undefined))
        yield `${key} is lifted at ${new Date(at).toISOString()} while the gang of ${name} is being placed`;
    }
  }

  *#leftPartly(key: string, at: number, healedAt: number): Generator<string> {
    const members = this.#members(key);
    const held = members.filter(isBehindGangGate).length;
    const since = this.#partlySince.get(key);
    if (since !== undefined && at > Math.max(since, healedAt) + LIFTED_WITHIN_MS)
      yield `${key} was lifted in part from ${new Date(since).toISOString()} to ${new Date(at).toISOString()}`;
    if (held === 0 || held === members.length) this.#partlySince.delete(key);
    else if (since === undefined) this.#partlySince.set(key, at);
  }

  #members(key: string): Pod[] {
    return [...this.#pods.all.values()].filter(
      (pod) => keyOf(pod) === key && isReplica(pod) && !hasPodEnded(pod) && !pod.metadata.deletionTimestamp,
    );
  }
}

const keyOf = (pod: Pod): string => `${anchorUidOf(pod)}/${attemptOf(pod)}`;
