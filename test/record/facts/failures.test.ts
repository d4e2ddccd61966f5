import { describe, expect, it } from '@jest/globals';
import type { LedgerEntry, LedgerPod } from '../../../contracts/types.ts';
import { failedPodsOf } from '../../../record/facts/failures.ts';
import { entriesOf } from '../ledger/events.ts';

const ledgerOf = (...entries: readonly Partial<LedgerEntry>[]): LedgerEntry[] =>
  entriesOf(...entries.map(() => ({ type: 'digest' }) as const)).map((entry, index) => ({
    ...{ ...entry, phase: 'Running' },
    ...entries[index],
  }));

const POD: LedgerPod = { pod: 'train-worker-0', uid: 'u1', exitCode: 1 };

/** Sequence numbers of what is said about each pod. */
const briefly = (entries: readonly LedgerEntry[]) =>
  failedPodsOf(entries).map(({ pod, isInPlace, entry, decision }) => [
    ...[pod.pod, isInPlace, entry.seq, decision.seq],
  ]);

describe('failed pods of a ledger', () => {
  it('are listed once, however many entries are about them, with the decision', () => {
    const restarting = { phase: 'Restarting', pods: [POD] } as const;
    expect(briefly(ledgerOf(restarting, { ...restarting, rule: 'ladder[0]' }, restarting))).toEqual([
      ['train-worker-0', false, 1, 2],
    ]);
  });

  it('differ from those whose containers were only restarted in place', () => {
    const other = { pod: 'train-worker-1', uid: 'u2' };
    const entries = ledgerOf({ pods: [POD] }, { pods: [other] }, { phase: 'Failed', pods: [POD] });
    expect(briefly(entries)).toEqual([
      ['train-worker-0', false, 3, 3],
      ['train-worker-1', true, 2, 2],
    ]);
  });

  it('are separate in another attempt, also if their uid is unknown', () => {
    const { uid: _, ...pod } = POD;
    const first = { phase: 'Restarting', attempt: 1, pods: [pod] } as const;
    expect(briefly(ledgerOf(first, first, { ...first, attempt: 2 }))).toHaveLength(2);
  });
});
