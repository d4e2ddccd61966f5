import { describe, expect, it } from '@jest/globals';
import type { AnchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { ClaimedEnds } from '../../../watcher/anchors/claimed-ends.ts';
import type { OrphanStatus } from '../../../watcher/anchors/reconcile-orphan.ts';
import { anAnchor } from '../fixtures.ts';

const completed = (job: string): AnchorFacts => anchorFacts(anAnchor({ job, uid: job, phase: 'Completed' }))!;
const [one, other] = [completed('one'), completed('other')];

function round(ends: ClaimedEnds, statuses: ReadonlyMap<AnchorFacts, OrphanStatus>) {
  const looked = ends.next([...statuses.keys()]);
  const refuted = ends.take(new Map([...statuses].filter(([anchor]) => looked.includes(anchor))));
  return { looked, refuted };
}

describe('an anchor that claims that its job has ended', () => {
  it('is checked until Temporal has confirmed it', () => {
    const ends = new ClaimedEnds();
    expect(round(ends, new Map([[one, 'orphaned']])).looked).toEqual([one]);
    expect(round(ends, new Map([[one, 'over']])).looked).toEqual([one]);
    expect(round(ends, new Map([[one, 'over']])).looked).toEqual([]);
  });

  it('may be some moments ahead of its workflow, but not a whole round', () => {
    const ends = new ClaimedEnds();
    expect(round(ends, new Map([[one, 'running']])).refuted).toEqual([]);
    const statuses = new Map<AnchorFacts, OrphanStatus>([
      [one, 'running'],
      [other, 'running'],
    ]);
    expect(round(ends, statuses).refuted).toEqual([one]);
  });

  it('is checked again after an error, and dropped when it is deleted', () => {
    const ends = new ClaimedEnds();
    ends.next([one]);
    expect(ends.take(new Map())).toEqual([]);
    expect(round(ends, new Map([[one, 'over']])).looked).toEqual([one]);
    expect(ends.next([])).toEqual([]);
    expect(ends.next([one])).toEqual([one]);
  });
});
