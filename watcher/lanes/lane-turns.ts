import type { LaneDigest } from '../../contracts/digest.ts';
import type { LanesConfig } from '../../contracts/lanes.ts';
import { formatDuration } from '../../language/duration.ts';
import { ownValue } from '../../language/fields.ts';
import { TURN_IS_OVER_MS, TURN_MS } from '../../queue/decide-turns.ts';
import { decideLanes } from '../../queue/lanes/decide-lanes.ts';
import { entryOfJob, type JobInLane } from '../../queue/lanes/entry-of-job.ts';
import { type LaneEntry, nameOfEntry } from '../../queue/lanes/lane-entry.ts';
import type { LaneVerdict } from '../../queue/lanes/lane-verdict.ts';
import type { Grant, LanesDecision, LanesState, Yield } from '../../queue/lanes/lanes-decision.ts';
import { standingText } from '../../queue/lanes/standing-text.ts';
import { metrics } from '../metrics.ts';
import { GrantLimit } from './grant-limit.ts';

export type PoolRoom = Pick<LanesState, 'capacity' | 'whole'>;

interface Situation extends PoolRoom {
  /** By the clock of the API server, as all times that jobs are told. */
  readonly at: number;
  readonly lanes: LanesConfig;
  readonly jobs: readonly JobInLane[];
  /** Which of them hold a place and have had no pods for longer than a turn, by uid. */
  readonly unused?: ReadonlySet<string>;
  /** False while an earlier leader may have granted something that is not taken yet. */
  readonly mayGive: boolean;
}

interface Told extends Yield {
  /** That has to go. */
  readonly attempt: number;
  /** How much work that costs, in words. */
  readonly loss: string;
}

interface Turn {
  readonly givenAt: number;
  /** When it was told last. */
  readonly at: number;
  readonly attempt: number;
  readonly message: string;
}

/**
 * Where jobs are many, each of their tasks waits for a worker, longer than a grant is valid. What is not taken is told again
 * before it is over: a signal to a workflow that has not come to the first one costs an event, and no task. Not while no worker
 * has written a place for a while: Temporal bounds the signals of a workflow.
 */
const RENEWAL = { afterMs: 10_000, forMs: 120_000, activeWithinMs: 60_000 } as const;

/**
 * Decides who may start, and remembers whom it has told what: a job has 15 s to take what it is granted, again and again for two minutes while workers work, and writes that, or for
 * whom it has given something back, on its anchor. A new leader waits until nothing can be under way that is not written there.
 */
export class LaneTurns {
  readonly #turns = new Map<string, Turn>();
  readonly #yields = new Map<string, Told>();
  /** Attempts that have to give back what they do not use, by uid. */
  readonly #unused = new Map<string, number>();
  readonly #told = new Map<string, LaneVerdict>();
  readonly #limit = new GrantLimit();

  decide({ at, lanes, capacity, whole, jobs, unused, mayGive }: Situation): Map<string, LaneVerdict> {
    this.#forget(jobs, at);
    this.#renew(jobs, lanes, at);
    const entries = jobs.map((job) => this.#asKnown(entryOfJob(job, at)));
    const decision = decideLanes({ at, lanes, capacity, entries, ...(whole ? { whole } : {}) });
    const byUid = new Map(entries.map((entry) => [entry.uid, entry]));
    const known = new Map(jobs.map((job) => [job.uid, job]));
    if (mayGive) {
      for (const one of decision.yields) {
        const job = known.get(one.uid)!;
        this.#yields.set(one.uid, { ...one, attempt: job.place.attempt, loss: lossOf(job, one) });
      }
      this.#takeBack(
        jobs.filter(({ uid }) => unused?.has(uid)),
        { lanes, decision },
      );
      const poolOf = ({ uid }: Grant) => ownValue(lanes.lanes, byUid.get(uid)!.lane)?.pool;
      for (const grant of this.#given(inTurns(Map.groupBy(decision.grants, poolOf)), at)) {
        const { attempt } = known.get(grant.uid)!.place;
        const message = grantText(grant, byUid, this.#yields);
        this.#turns.set(grant.uid, { givenAt: at, at, attempt, message });
      }
    }
    for (const { uid, place } of jobs) this.#tell(uid, place, { at, decision, mayGive });
    return new Map(this.#told);
  }

  /** Returns the grants that are given now. The next decision gives the others, from the state that there is then. */
  #given(grants: readonly Grant[], at: number): readonly Grant[] {
    const left = this.#limit.left(this.#turns.values(), at);
    this.#limit.note({ wasReached: grants.length >= left });
    return grants.slice(0, left);
  }

  /** What was granted counts until it shows on the anchor, or nobody can take it any more. */
  #forget(jobs: readonly JobInLane[], at: number): void {
    const places = new Map(jobs.map(({ uid, place }) => [uid, place]));
    for (const [uid, turn] of this.#turns) {
      const place = places.get(uid);
      const isTaken = place?.takenAt !== undefined || place?.attempt !== turn.attempt;
      const isOver = at > turn.at + TURN_IS_OVER_MS;
      // Who left its lane meanwhile needs no turn.
      if (isOver && !isTaken) metrics.turnsUnused.inc({ turn: 'grant' });
      if (isTaken || isOver) this.#turns.delete(uid);
    }
    for (const [uid, { attempt }] of this.#yields) {
      const place = places.get(uid);
      // Who has given something back is known until it has something again.
      const hasMore = place?.takenAt !== undefined && place.attempt !== attempt;
      if (!place || hasMore) this.#yields.delete(uid);
    }
    for (const [uid, attempt] of this.#unused) {
      const place = places.get(uid);
      if (place?.takenAt === undefined || place.attempt !== attempt) this.#unused.delete(uid);
    }
    for (const uid of this.#told.keys()) if (!places.has(uid)) this.#told.delete(uid);
  }

  /** Where others wait for a pool, a job that has no pods holds nothing of it. */
  #takeBack(unused: readonly JobInLane[], { lanes: { lanes }, decision }: Verdict): void {
    const poolOf = (lane: string) => ownValue(lanes, lane)?.pool;
    const wanted = new Set(
      [...decision.standings.values()].flatMap(({ lane, position }) =>
        position ? (poolOf(lane) ?? []) : [],
      ),
    );
    for (const { uid, place, request } of unused) {
      if (this.#unused.get(uid) === place.attempt || !wanted.has(poolOf(request.lane) ?? '')) continue;
      metrics.turnsUnused.inc({ turn: 'place' });
      this.#unused.set(uid, place.attempt);
    }
  }

  #renew(jobs: readonly JobInLane[], { lanes }: LanesConfig, at: number): void {
    if (!jobs.some(({ place }) => at - writtenAt(place) <= RENEWAL.activeWithinMs)) return;
    for (const { uid, request } of jobs) {
      const turn = this.#turns.get(uid);
      const isDue = turn && at >= turn.at + RENEWAL.afterMs && at <= turn.at + TURN_MS;
      if (!isDue || at > turn.givenAt + RENEWAL.forMs || !isOpen(ownValue(lanes, request.lane))) continue;
      this.#turns.set(uid, { ...turn, at });
    }
  }

  #asKnown(entry: LaneEntry): LaneEntry {
    const turn = this.#turns.get(entry.uid);
    const told = this.#yields.get(entry.uid);
    return {
      ...entry,
      ...(turn && !entry.granted ? { granted: { at: turn.givenAt } } : {}),
      ...(told ? { yieldsTo: told.to } : {}),
    };
  }

  #tell(uid: string, { attempt, takenAt }: JobInLane['place'], { at, decision, mayGive }: Decided): void {
    const turn = this.#turns.get(uid);
    const given = this.#yields.get(uid);
    const standing = decision.standings.get(uid);
    if (takenAt !== undefined) {
      if (given) this.#told.set(uid, { eviction: evictionFor(given) });
      else if (this.#unused.has(uid)) this.#told.set(uid, { eviction: UNUSED });
      else this.#told.delete(uid);
    } else if (turn) {
      const { message } = turn;
      this.#say(uid, { attempt, at: turn.at, reason: 'Granted', message, until: turn.at + TURN_MS });
    } else if (standing) {
      this.#say(uid, { attempt, at, reason: standing.code, message: standingText(standing) });
    } else if (!mayGive) {
      this.#say(uid, { attempt, at, ...NOT_DECIDED });
    }
  }

  /** The time of a word is that of its first decision. */
  #say(uid: string, lane: LaneDigest): void {
    const known = this.#told.get(uid)?.lane;
    const { at: _, ...said } = lane;
    const { at: __, ...before } = known ?? { at: 0 };
    if (JSON.stringify(said) !== JSON.stringify(before)) this.#told.set(uid, { lane });
  }
}

interface Verdict {
  readonly lanes: LanesConfig;
  readonly decision: LanesDecision;
}

interface Decided {
  readonly at: number;
  readonly decision: LanesDecision;
  readonly mayGive: boolean;
}

const writtenAt = ({ since, requeuedAt = since, takenAt = since }: JobInLane['place']): number =>
  Math.max(since, requeuedAt, takenAt);

const isOpen = (lane: LanesConfig['lanes'][string] | undefined): boolean =>
  lane !== undefined && [lane.fault, lane.paused, lane.drain].every((why) => why === undefined);

/** The first of each group, then the second of each, and so on. */
const inTurns = <T>(groups: ReadonlyMap<unknown, readonly T[]>): T[] =>
  [...groups.values()]
    .flatMap((group) => group.map((one, place) => ({ one, place })))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);

function lossOf({ request: { savesFirst } }: JobInLane, { lostMs }: Yield): string {
  if (savesFirst) return 'it writes a checkpoint first';
  return lostMs > 0 ? `it loses ${formatDuration(lostMs)} of work` : 'it had not begun to work';
}

const evictionFor = ({ reason, sentence, loss, to }: Told): LaneVerdict['eviction'] => ({
  reason,
  to,
  message: `${sentence}; ${loss}`,
});

function grantText(
  { backfilled, after = [] }: Grant,
  byUid: ReadonlyMap<string, LaneEntry>,
  yields: ReadonlyMap<string, Told>,
): string {
  const nameOf = (uid: string) => {
    const entry = byUid.get(uid);
    return entry ? nameOfEntry(entry) : 'a job that is gone';
  };
  if (after.length > 0) {
    const losers = after.map((uid) => [nameOf(uid), yields.get(uid)?.loss].filter(Boolean).join(': '));
    return `its lane lets it start, with what others gave back (${losers.join('; ')})`;
  }
  if (backfilled) return `its lane lets it start before ${nameOf(backfilled.past)}, which it does not delay`;
  return 'its lane lets it start';
}

const UNUSED: LaneVerdict['eviction'] = {
  reason: 'Evicted',
  message: `it has had no pods for more than ${TURN_IS_OVER_MS / 1000} s, and others wait for what its lane has granted to it; it waits behind them`,
};

const NOT_DECIDED = {
  reason: 'NotDecided',
  message: 'this watcher has just taken over: what an earlier one has granted may be taken first',
};
