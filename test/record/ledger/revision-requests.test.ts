import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestCause } from '../../../contracts/ledger.ts';
import type { LedgerEntry } from '../../../contracts/types.ts';
import type { JobEvent } from '../../../machines/model/job-events.ts';
import { enter, type LedgerBook, NEW_BOOK } from '../../../machines/report/ledger-book.ts';
import { begin, type JobState, step } from '../../../machines/step.ts';
import { requestOfRevision, revisionRequests } from '../../../record/ledger/revision-requests.ts';
import { ANCHOR, aDigest, aPlan, planned } from '../../machines/builders.ts';
import { START } from '../../machines/machine-run.ts';

/** Who made a revision, in the ledger of a job whose gang restarts with new sizes. */

const sized = (workers: number) => aPlan().master().workers(workers).policy({ scaleByRestart: true }).build();

let job: JobState;
let now: number;
let ledgerBook: LedgerBook;
let entries: LedgerEntry[];

function receives(event: JobEvent): void {
  const next = step(job, event);
  job = next.job;
  if (!next.entry) return;
  const entered = enter(ledgerBook, next.entry);
  ledgerBook = entered.book;
  entries.push(entered.entry);
}

const tick = () => (now += 1000);
const done = (effect: 'createAttempt' | 'drain', resourceVersion: number) =>
  receives({ type: 'effectDone', effect, resourceVersion, at: tick() });

const request = (name: string, who: string, others: Partial<RequestCause> = {}): RequestCause => ({
  ...{ type: 'request', request: name, through: 'update', who: { given: who } },
  ...others,
});

const scales = (who: string, workers: number, revision: number) =>
  receives({
    ...{ type: 'amend', ...planned(sized(workers), revision), cause: { message: `scaled by ${who}` } },
    ...{ request: request('scale', who, { madeRevision: revision }), at: tick() },
  });

const holds = (who: string) =>
  receives({
    ...{ type: 'hold', seconds: 60, cause: { message: `held by ${who}` } },
    ...{ request: request('hold', who), at: tick() },
  });

beforeEach(() => {
  now = START;
  ledgerBook = NEW_BOOK;
  entries = [];
  ({ job } = begin({ ...planned(sized(2)), anchorUid: ANCHOR, gang: 'native', at: now }));
  done('createAttempt', 10);
  const digest = aDigest(10).attempt(1).master({ ready: 1 }).workers({ ready: 2 }).build();
  receives({ type: 'digest', digest, at: tick() });
});

describe('the request that made a revision', () => {
  it('is known if new sizes take effect later, and not all do', () => {
    scales('ana', 3, 2);
    scales('bo', 4, 3);
    expect(entries.at(-1)).toMatchObject({ to: 'Restarting.Draining', revision: 1 });
    done('drain', 20);
    holds('cy');
    // The first entry that has the number of a revision is that of somebody else, or there is none.
    const [two, three] = [2, 3].map((number) =>
      entries.find(({ revision, cause }) => revision === number && cause.type === 'request'),
    );
    expect([two, three?.cause]).toEqual([undefined, request('hold', 'cy')]);
    expect([2, 3, 4].map((number) => requestOfRevision(entries, number)?.who.given)).toEqual([
      'ana',
      'bo',
      undefined,
    ]);
  });

  it('has the time at which it was accepted', () => {
    scales('ana', 3, 2);
    const at = new Date(now).toISOString();
    done('drain', 20);
    expect(revisionRequests(entries)).toEqual([{ ...request('scale', 'ana', { madeRevision: 2 }), at }]);
  });

  it('is never one that the job refused, or that changes nothing of the manifest', () => {
    holds('cy');
    const refused = { cause: request('scale', 'eve', { refused: 'it cannot scale' }) };
    expect(revisionRequests([...entries, { ...entries.at(-1)!, ...refused }])).toEqual([]);
  });
});
