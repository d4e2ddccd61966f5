import { describe, expect, it } from 'vitest';
import { staysOf } from '../../../record/ledger/stays.ts';
import { entriesOf } from './events.ts';

const DIGEST = { type: 'digest' } as const;
const at = (second: number) => `2026-11-23T18:00:0${second}.000Z`;

describe('how long a job stayed in a state', () => {
  it('is from the entry that led to it until the one that led out of it, whatever happened meanwhile', () => {
    const [first, second, third, fourth] = entriesOf(DIGEST, DIGEST, DIGEST, DIGEST);
    const entries = [
      { ...first!, at: at(0), from: undefined, to: 'Pending' },
      { ...second!, at: at(1), from: 'Pending', to: 'Running' },
      { ...third!, at: at(2), from: 'Running', to: 'Running' },
      { ...fourth!, at: at(5), from: 'Running', to: 'Completed' },
    ];
    expect([...staysOf(entries)].toSorted(([one], [other]) => one - other)).toEqual([
      [1, { since: at(0), until: at(1) }],
      [2, { since: at(1), until: at(5) }],
      [4, { since: at(5) }],
    ]);
  });
});
