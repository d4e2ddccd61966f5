import type { AnchorFacts } from './anchor-facts.ts';
import type { OrphanStatus } from './reconcile-orphan.ts';

/** How many are looked at in a round: a new leader finds those of a month. */
const MOST_AT_ONCE = 500;

/**
 * Which anchors say that their job has ended, and are not believed yet: any user of the namespace can write a
 * phase. Each is looked at until Temporal has confirmed it; a job that has ended stays ended.
 */
export class ClaimedEnds {
  #confirmed: ReadonlySet<string> = new Set();
  /** A job records its end shortly before its workflow closes: only in the next round this is a contradiction. */
  #running: ReadonlySet<string> = new Set();

  /** Returns those to look at in this round. */
  next(ended: readonly AnchorFacts[]): AnchorFacts[] {
    this.#confirmed = new Set(ended.map(({ uid }) => uid).filter((uid) => this.#confirmed.has(uid)));
    return ended.filter(({ uid }) => !this.#confirmed.has(uid)).slice(0, MOST_AT_ONCE);
  }

  /** Takes what was found in this round. Returns the anchors whose jobs have not ended. */
  take(found: ReadonlyMap<AnchorFacts, OrphanStatus>): AnchorFacts[] {
    const ofStatus = (...wanted: OrphanStatus[]) =>
      [...found].flatMap(([anchor, status]) => (wanted.includes(status) ? [anchor] : []));
    const uidsOf = (anchors: readonly AnchorFacts[]) => anchors.map(({ uid }) => uid);
    this.#confirmed = new Set([...this.#confirmed, ...uidsOf(ofStatus('over', 'superseded', 'foreign'))]);
    const running = ofStatus('running');
    const refuted = running.filter(({ uid }) => this.#running.has(uid));
    this.#running = new Set(uidsOf(running));
    return refuted;
  }
}
