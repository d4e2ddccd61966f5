import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { bindWithinMs } from '../../contracts/gated-gang.ts';
import type { Node, Pod } from '../../contracts/kubernetes.ts';
import { decideTurns, TURN_IS_OVER_MS, type TurnDecision } from '../../queue/decide-turns.ts';
import { type Pool, PoolReader } from '../../queue/pool.ts';
import { aNode, specOf } from '../explain/situations.ts';
import { aMember, NOW } from './gated-pods.ts';

/**
 * A cluster with gated gangs, pods of others, a scheduler, workflows and leaders that are killed, in steps of a second. Every
 * rule of the real ones that matters to a decision is here, each in its simplest form.
 */

const A_JOB = fc.record({
  at: fc.integer({ min: 0, max: 40 }),
  // Few forms: equal gangs show the order, and several fit at once.
  pods: fc.constantFrom(2, 3, 3, 5),
  gpus: fc.constantFrom(1, 1, 2),
  runsFor: fc.integer({ min: 5, max: 30 }),
  priority: fc.constantFrom(0, 0, 0, 5),
  /** How many gates a worker lifts in a second; it is killed now and then. */
  pace: fc.integer({ min: 1, max: 3 }),
  pauses: fc.integer({ min: 0, max: 6 }),
  /** Is lifted without room, if there is none. */
  onQuota: fc.constantFrom(false, false, true),
});

const AN_OTHER = fc.record({
  at: fc.integer({ min: 0, max: 100 }),
  gpus: fc.integer({ min: 1, max: 4 }),
  runsFor: fc.integer({ min: 5, max: 60 }),
  priority: fc.constantFrom(-1, 0, 0, 5),
});

export const A_DAY = fc.record({
  nodes: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }),
  jobs: fc.array(A_JOB, { minLength: 3, maxLength: 8 }),
  others: fc.array(AN_OTHER, { maxLength: 10 }),
  /** How many nodes of 4 GPUs an autoscaler may add, one in 7 s. */
  mostNew: fc.integer({ min: 0, max: 3 }),
  /** When a leader is killed, in seconds. */
  kills: fc.array(fc.integer({ min: 1, max: 140 }), { maxLength: 2 }),
  /** Which node the scheduler tries first. */
  seed: fc.integer({ min: 0, max: 1_000 }),
});

type Day = typeof A_DAY extends fc.Arbitrary<infer T> ? T : never;
type JobOfDay = Day['jobs'][number];

interface PodOfWorld {
  readonly name: string;
  readonly gpus: number;
  readonly priority: number;
  node?: string;
  boundAt?: number;
}

interface Job extends JobOfDay {
  readonly name: string;
  state: 'absent' | 'held' | 'lifting' | 'running' | 'backingOff' | 'ended';
  attempt: number;
  members: (PodOfWorld & { isLifted: boolean })[];
  createdAt: number;
  queuedSince?: number;
  bindsUntil?: number;
  until?: number;
  /** Its gates are lifted without room. */
  wasLiftedOnQuota?: boolean;
  pausedUntil?: number;
  againAt?: number;
  endsAt?: number;
  rollBacks: number;
}

const SECONDS = 120;
/** A scheduler is slow enough that a gang is placed over some seconds. */
const BINDS_PER_SECOND = 2;

interface Totals {
  placed: number;
  rolledBack: number;
  onQuota: number;
  takeOvers: number;
}

/** Returns the promises that were broken. */
export function liveThrough(
  day: Day,
  totals: Totals = { placed: 0, rolledBack: 0, onQuota: 0, takeOvers: 0 },
): readonly string[] {
  const world = new World(day, totals);
  for (let second = 0; second < SECONDS; second++) world.pass(NOW + second * 1_000, second);
  return world.broken;
}

class World {
  readonly broken: string[] = [];
  readonly #day: Day;
  readonly #totals: Totals;
  readonly #jobs: Job[];
  readonly #nodes: number[];
  #others: (PodOfWorld & { endsAfter: number; seenAt: number })[] = [];
  #last: TurnDecision | undefined;
  #mayGiveAt = 0;

  constructor(day: Day, totals: Totals) {
    this.#day = day;
    this.#totals = totals;
    this.#nodes = [...day.nodes];
    this.#jobs = day.jobs.map((job, index) => ({
      ...{
        ...job,
        name: `job-${index}`,
        state: 'absent',
        attempt: 1,
        members: [],
        createdAt: 0,
        rollBacks: 0,
      },
    }));
  }

  pass(now: number, second: number): void {
    for (const job of this.#jobs) this.#live(job, now, second);
    for (const [index, other] of this.#day.others.entries()) {
      if (other.at !== second) continue;
      const { gpus, priority, runsFor } = other;
      this.#others.push({ name: `other-${index}`, gpus, priority, endsAfter: runsFor * 1_000, seenAt: now });
    }
    this.#others = this.#others.filter(
      ({ boundAt, endsAfter }) => boundAt === undefined || now < boundAt + endsAfter,
    );
    this.#schedule(now);
    this.#addNodes(second);
    this.#lead(now, second);
    this.#check(now);
  }

  #live(job: Job, now: number, second: number): void {
    switch (job.state) {
      case 'absent':
        if (second === job.at) this.#create(job, now);
        return;
      case 'lifting':
        this.#lift(job, now);
        return;
      case 'running':
        if (now >= job.endsAt!) Object.assign(job, { state: 'ended', members: [] });
        return;
      case 'backingOff':
        if (now >= job.againAt!) this.#create({ ...job }, now, job);
        return;
      default:
        return;
    }
  }

  #create(from: Job, now: number, job = from): void {
    job.members = Array.from({ length: job.pods }, (_, index) => ({
      ...{ name: `${job.name}-${index}`, gpus: job.gpus, priority: job.priority, isLifted: false },
    }));
    job.createdAt = now;
    job.state = 'held';
  }

  /** A worker lifts some gates, and does not begin after the turn; the workflow looks at the clock. */
  #lift(job: Job, now: number): void {
    const placed = job.members.filter(({ node }) => node).length;
    if (placed === job.pods) {
      Object.assign(job, { state: 'running', endsAt: now + job.runsFor * 1_000, bindsUntil: undefined });
      this.#totals.placed++;
      job.rollBacks = 0;
      return;
    }
    if (job.wasLiftedOnQuota && placed > 0) job.bindsUntil ??= now + bindWithinMs(job.pods);
    if (job.bindsUntil !== undefined && now >= job.bindsUntil) {
      this.#rollBack(job, now);
      return;
    }
    if (now < job.pausedUntil!) return;
    const held = job.members.filter(({ isLifted }) => !isLifted);
    if (held.length === job.pods && now > job.until!) {
      Object.assign(job, { state: 'held', bindsUntil: undefined, wasLiftedOnQuota: undefined });
      return;
    }
    for (const member of held.slice(0, job.pace)) member.isLifted = true;
  }

  #rollBack(job: Job, now: number): void {
    this.#totals.rolledBack++;
    Object.assign(job, {
      ...{ state: 'backingOff', members: [], bindsUntil: undefined, attempt: job.attempt + 1 },
      wasLiftedOnQuota: undefined,
      ...{ queuedSince: job.queuedSince ?? job.createdAt, rollBacks: job.rollBacks + 1 },
      againAt: now + Math.min(10_000 * 2 ** job.rollBacks, 300_000),
    });
  }

  /** Places what it can, by priority; who comes first of equal ones is chance. */
  #schedule(now: number): void {
    const free = this.#free();
    const members = this.#jobs.flatMap((job) => job.members.filter(({ isLifted }) => isLifted));
    const waiting = [...this.#others, ...members].filter(({ node }) => !node);
    const chance = (name: string) =>
      (name.length * 31 + name.charCodeAt(name.length - 1) * this.#day.seed) % 17;
    let binds = BINDS_PER_SECOND;
    for (const pod of waiting.sort((a, b) => b.priority - a.priority || chance(a.name) - chance(b.name))) {
      const nodes = [...free].sort(([a, x], [b, y]) => y - x || chance(a) - chance(b));
      const node = nodes.find(([, gpus]) => gpus >= pod.gpus)?.[0];
      if (!node || binds === 0) continue;
      binds -= 1;
      free.set(node, free.get(node)! - pod.gpus);
      Object.assign(pod, { node, boundAt: now });
    }
  }

  /** It sees pods that have no gate and no node. */
  #addNodes(second: number): void {
    const waits = this.#jobs.some(({ members }) => members.some(({ isLifted, node }) => isLifted && !node));
    const isMore = this.#nodes.length < this.#day.nodes.length + this.#day.mostNew;
    if (waits && isMore && second % 7 === 0) this.#nodes.push(4);
  }

  #free(): Map<string, number> {
    const free = new Map(this.#nodes.map((gpus, index) => [`node-${index}`, gpus]));
    for (const { node, gpus } of [...this.#others, ...this.#jobs.flatMap(({ members }) => members)])
      if (node) free.set(node, free.get(node)! - gpus);
    return free;
  }

  #lead(now: number, second: number): void {
    if (this.#day.kills.includes(second)) {
      this.#last = undefined;
      this.#totals.takeOvers++;
      const areThere = this.#jobs.some(({ state }) => state === 'held' || state === 'lifting');
      this.#mayGiveAt = areThere ? now + TURN_IS_OVER_MS : 0;
      return;
    }
    const pool = this.#pool(now);
    const before = { ...this.#last, mayGive: now >= this.#mayGiveAt };
    const decision = decideTurns(pool, before);
    this.#judge(pool, decision, before);
    this.#last = decision;
    for (const job of this.#jobs) {
      const lift = decision.verdicts.get(`anchor-${job.name}`)?.lift;
      if (job.state !== 'held' || lift?.attempt !== job.attempt) continue;
      Object.assign(job, {
        ...{ state: 'lifting', until: lift.until, pausedUntil: now + job.pauses * 1_000 },
        bindsUntil: lift.onQuota ? undefined : now + bindWithinMs(job.pods),
        wasLiftedOnQuota: lift.onQuota,
      });
      if (lift.onQuota) this.#totals.onQuota++;
    }
  }

  /** What holds for each decision. */
  #judge(pool: Pool, decision: TurnDecision, before: Parameters<typeof decideTurns>[1]): void {
    const { turn } = decision;
    const isNew = turn !== undefined && turn.givenAt === pool.at;
    const held = this.#jobs.filter(({ state }) => state === 'held');
    const lifted = this.#jobs.filter(({ state }) => state === 'lifting');
    const fitting = held.filter((job) => this.#fits(job));
    const chosen = held.find(({ name }) => `anchor-${name}` === turn?.uid);
    if (isNew && lifted.some(isBeingPlaced))
      this.broken.push('I1: a turn is given while another gang is being placed');
    if (isNew && !turn.onQuota && !fitting.includes(chosen!))
      this.broken.push(`I1: ${turn.uid} gets its turn and does not fit`);
    if (isNew && turn.onQuota && !chosen?.onQuota)
      this.broken.push(`I1: ${turn.uid} is lifted without room, and does not want that`);
    const isOlder = (job: Job) =>
      job.pods === chosen?.pods &&
      (!turn?.onQuota || job.onQuota) &&
      job.gpus === chosen.gpus &&
      job.priority === chosen.priority &&
      (job.queuedSince ?? job.createdAt) < (chosen.queuedSince ?? chosen.createdAt);
    if (isNew && held.some(isOlder)) this.broken.push('I3: a later gang of the same form goes first');
    if (!isDeepStrictEqual(decideTurns(pool, before), decision))
      this.broken.push('I7: the same pool gives another decision');
    const anew = decideTurns(pool, { mayGive: true });
    const isFresh = before.mayGive && !before.turn && !before.placingSince?.size && !before.missed?.size;
    if (isFresh && !isDeepStrictEqual(anew.turn, turn))
      this.broken.push('I7: a new leader decides otherwise');
    const isIdle =
      lifted.length === 0 && !before.turn && before.mayGive && this.#others.every(({ node }) => node);
    if (isIdle && fitting.length > 0 && !turn) this.broken.push('I9: a gang fits and gets no turn');
    for (const { name } of held) {
      const verdict = decision.verdicts.get(`anchor-${name}`);
      if (!verdict?.reason || !verdict.message) this.broken.push(`I10: ${name} is not told why it waits`);
    }
  }

  /** Whether there is room for a gang, counted node by node. */
  #fits({ pods, gpus }: Job): boolean {
    let room = 0;
    for (const free of this.#free().values()) room += Math.floor(free / gpus);
    return room >= pods;
  }

  /** What holds at each moment. */
  #check(now: number): void {
    if ([...this.#free().values()].some((gpus) => gpus < 0)) this.broken.push('the world is wrong');
    for (const job of this.#jobs) {
      const placed = job.members.filter(({ node }) => node).length;
      const isPartial = placed > 0 && placed < job.pods;
      if (isPartial && (job.state !== 'lifting' || now > (job.bindsUntil ?? now) + 1_000))
        this.broken.push(`I6: ${job.name} holds nodes for longer than it may`);
    }
    // Those that wait for nodes may get them at any moment.
    const lifting = this.#jobs.filter((job) => isBeingPlaced(job) && !job.wasLiftedOnQuota);
    if (lifting.length > 1) this.broken.push('I1: two gangs are being placed');
  }

  #pool(now: number): Pool {
    const reader = new PoolReader(now, () => ({}));
    for (const job of this.#jobs) for (const pod of membersOf(job)) reader.add(pod);
    for (const other of this.#others) reader.add(otherPod(other, now));
    return reader.pool(this.#nodes.map((gpus, index): Node => aNode(index, { gpus })));
  }
}

function isBeingPlaced({ members, pods, wasLiftedOnQuota }: Job): boolean {
  const placed = members.filter(({ node }) => node).length;
  const isWaiting = wasLiftedOnQuota && placed === 0 && members.every(({ isLifted }) => isLifted);
  return members.some(({ isLifted }) => isLifted) && placed < pods && !isWaiting;
}

const membersOf = ({ name: job, attempt, members, pods, createdAt, queuedSince, ...more }: Job): Pod[] =>
  members.map(({ gpus, priority, node, isLifted }, index) =>
    aMember({
      ...{ job, index, attempt, gpus, priority, createdAt, size: `${pods}-of-${pods}` },
      ...(queuedSince ? { queuedSince } : {}),
      ...(isLifted ? { isLifted } : {}),
      onQuota: isLifted ? more.wasLiftedOnQuota === true : more.onQuota,
      ...(node ? { node } : {}),
    }),
  );

function otherPod(
  { name, gpus, priority, node, boundAt, seenAt }: PodOfWorld & { readonly seenAt: number },
  now: number,
): Pod {
  const said = {
    ...{ type: 'PodScheduled', status: node ? ('True' as const) : ('False' as const) },
    ...(node ? {} : { reason: 'Unschedulable' }),
    lastTransitionTime: new Date(boundAt ?? seenAt).toISOString(),
  };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'vision' } },
    spec: { ...specOf(gpus, { priority }), ...(node ? { nodeName: node } : {}) },
    status: { conditions: now > seenAt ? [said] : [] },
  };
}
