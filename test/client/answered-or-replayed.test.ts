import { describe, expect, it } from '@jest/globals';
import { WorkerAwayError } from '../../client/errors/errors.ts';
import { answeredOrReplayed } from '../../client/use-cases/observe/answered-or-replayed.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { entriesOf } from '../record/ledger/events.ts';

const [first, second, third] = entriesOf({ type: 'digest' }, { type: 'digest' }, { type: 'digest' });
const ALL = [first!, second!, third!];

/** What a worker answers: entries, and then what a promise becomes. */
async function* answering(entries: readonly LedgerEntry[], then: Promise<readonly LedgerEntry[]>) {
  yield* entries;
  yield* await then;
}

async function read(
  answered: AsyncGenerator<LedgerEntry>,
  replay: (why?: WorkerAwayError) => Promise<readonly LedgerEntry[]>,
  stopAsking = () => {},
): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of answeredOrReplayed({ answered, replay, stopAsking })) seqs.push(seq);
  return seqs;
}

const never = new Promise<never>(() => {});
const noReplay = async () => {
  throw new Error('it does not replay');
};

describe('the entries of a ledger', () => {
  it('are those of the replay from where a worker stops to answer; it is not queried again', async () => {
    let isAsked = true;
    const seqs = await read(
      answering([first!], never),
      async () => ALL,
      () => {
        isAsked = false;
      },
    );
    expect({ seqs, isAsked }).toEqual({ seqs: [1, 2, 3], isAsked: false });
  });

  it('are those of a worker that answers at once, and nothing is replayed', async () => {
    expect(await read(answering(ALL, Promise.resolve([])), noReplay)).toEqual([1, 2, 3]);
  });

  it('are those of a worker that answers while the histories are replayed', async () => {
    const asked = Promise.withResolvers<readonly LedgerEntry[]>();
    const replay = () => {
      asked.resolve(ALL.slice(1));
      return never;
    };
    expect(await read(answering([first!], asked.promise), replay)).toEqual([1, 2, 3]);
  });

  it('are those of the same replay when the worker is slow again', async () => {
    const asked = Promise.withResolvers<void>();
    const replayed = Promise.withResolvers<readonly LedgerEntry[]>();
    let replays = 0;
    const replay = () => {
      replays += 1;
      asked.resolve();
      return replayed.promise;
    };
    async function* slow() {
      await asked.promise;
      yield first!;
      replayed.resolve(ALL);
      yield await never;
    }
    expect(await read(slow(), replay)).toEqual([1, 2, 3]);
    expect(replays).toBe(1);
  });

  it('are awaited from the worker if the histories do not replay', async () => {
    const asked = Promise.withResolvers<readonly LedgerEntry[]>();
    const replay = async () => {
      setImmediate(() => asked.resolve(ALL.slice(1)));
      return noReplay();
    };
    expect(await read(answering([first!], asked.promise), replay)).toEqual([1, 2, 3]);
  });

  it('are replayed at once if no worker is there, with that reason', async () => {
    const why = new WorkerAwayError('job/ml/train');
    const reasons: unknown[] = [];
    const replay = async (reason?: WorkerAwayError) => {
      reasons.push(reason);
      return ALL;
    };
    expect(await read(answering([first!], Promise.reject(why)), replay)).toEqual([1, 2, 3]);
    expect(reasons).toEqual([why]);
  });

  it('end with an error that a replay cannot mend', async () => {
    await expect(
      read(answering([], Promise.reject(new Error('no such job'))), async () => ALL),
    ).rejects.toThrow('no such job');
    const away = Promise.reject(new WorkerAwayError('job/ml/train'));
    await expect(read(answering([], away), noReplay)).rejects.toThrow('it does not replay');
  });
});
