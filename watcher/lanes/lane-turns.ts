import type { LaneDigest } from '../../contracts/digest.ts';
import type { LanesConfig } from '../../contracts/lanes.ts';
import type { Amounts } from '../../contracts/pod-requests.ts';
import { formatDuration } from '../../language/duration.ts';
import { TURN_IS_OVER_MS, TURN_MS } from '../../queue/decide-turns.ts';
import { decideLanes } from '../../queue/lanes/decide-lanes.ts';
import { entryOfJob, type JobInLane } from '../../queue/lanes/entry-of-job.ts';
import { type LaneEntry, nameOfEntry } from '../../queue/lanes/lane-entry.ts';
import type { LaneWord } from '../../queue/lanes/lane-word.ts';
import type { Grant, LaneStanding, LanesDecision, Yield } from '../../queue/lanes/lanes-decision.ts';
import { standingText } from '../../queue/lanes/standing-text.ts';

interface Situation {
  readonly at: number;
  readonly lanes: LanesConfig;
  readonly capacity: ReadonlyMap<string, Amounts>;
  readonly jobs: readonly JobInLane[];
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
  readonly at: number;
  readonly attempt: number;
  readonly message: string;
}

/**
 * Decides who may start, and remembers whom it has told what: a job has 15 s to take what it is granted, and writes that, or for
 * whom it has given something back, on its anchor. A new leader waits until nothing can be under way that is not written there.
 */
export class LaneTurns {
  readonly #turns = new Map<string, Turn>();
  readonly #yields = new Map<string, Told>();
  readonly #told = new Map<string, LaneWord>();

  decide({ at, lanes, capacity, jobs, mayGive }: Situation): Map<string, LaneWord> {
    this.#forget(jobs, at);
    const entries = jobs.map((job) => this.#asKnown(entryOfJob(job, at)));
    const decision = decideLanes({ at, lanes, capacity, entries });
    const byUid = new Map(entries.map((entry) => [entry.uid, entry]));
    const known = new Map(jobs.map((job) => [job.uid, job]));
    if (mayGive) {
      for (const one of decision.yields) {
        const job = known.get(one.uid)!;
        this.#yields.set(one.uid, { ...one, attempt: job.place.attempt, loss: lossOf(job, one) });
      }
      for (const grant of decision.grants) {
        const { attempt } = known.get(grant.uid)!.place;
        this.#turns.set(grant.uid, { at, attempt, message: grantText(grant, byUid, this.#yields) });
      }
    }
    for (const { uid, place } of jobs) this.#tell(uid, place, { at, decision });
    return new Map(this.#told);
  }

  /** What was granted counts until it shows on the anchor, or nobody can take it any more. */
  #forget(jobs: readonly JobInLane[], at: number): void {
    const places = new Map(jobs.map(({ uid, place }) => [uid, place]));
    for (const [uid, turn] of this.#turns) {
      const place = places.get(uid);
      const isTaken = place?.takenAt !== undefined || place?.attempt !== turn.attempt;
      if (isTaken || at > turn.at + TURN_IS_OVER_MS) this.#turns.delete(uid);
    }
    for (const [uid, { attempt }] of this.#yields) {
      const place = places.get(uid);
      // Who has given something back is known until it has something again.
      const hasMore = place?.takenAt !== undefined && place.attempt !== attempt;
      if (!place || hasMore) this.#yields.delete(uid);
    }
    for (const uid of this.#told.keys()) if (!places.has(uid)) this.#told.delete(uid);
  }

  #asKnown(entry: LaneEntry): LaneEntry {
    const turn = this.#turns.get(entry.uid);
    const told = this.#yields.get(entry.uid);
    return {
      ...entry,
      ...(turn && !entry.granted ? { granted: { at: turn.at } } : {}),
      ...(told ? { yieldsTo: told.to } : {}),
    };
  }

  #tell(uid: string, { attempt, takenAt }: JobInLane['place'], { at, decision }: Decided): void {
    const turn = this.#turns.get(uid);
    const given = this.#yields.get(uid);
    const standing = decision.standings.get(uid);
    if (takenAt !== undefined) {
      if (given) this.#told.set(uid, { eviction: evictionFor(given) });
      else this.#told.delete(uid);
    } else if (turn) {
      const { message } = turn;
      this.#say(uid, { attempt, at: turn.at, reason: 'Granted', message, until: turn.at + TURN_MS });
    } else {
      this.#say(uid, { attempt, at, ...wordOf(standing) });
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

interface Decided {
  readonly at: number;
  readonly decision: LanesDecision;
}

function lossOf({ request: { savesFirst } }: JobInLane, { lostMs }: Yield): string {
  if (savesFirst) return 'it writes a checkpoint first';
  return lostMs > 0 ? `it loses ${formatDuration(lostMs)} of work` : 'it had not begun to work';
}

const evictionFor = ({ reason, sentence, loss, to }: Told): LaneWord['eviction'] => ({
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

const NOT_DECIDED = {
  reason: 'NotDecided',
  message: 'what its lane grants is taken by others first, or this watcher has just taken over',
};

const wordOf = (standing: LaneStanding | undefined): Pick<LaneDigest, 'reason' | 'message'> =>
  standing ? { reason: standing.code, message: standingText(standing) } : NOT_DECIDED;
