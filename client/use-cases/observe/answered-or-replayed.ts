import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerEntry } from '../../../contracts/types.ts';
import { WorkerAwayError } from '../../errors/errors.ts';

/**
 * How long a worker may take for an entry before the histories are replayed as well, in milliseconds. Temporal asks a
 * worker that was just killed for half a minute before it says so; a replay takes some seconds.
 */
const PATIENCE_MS = 2_000;

/** The same entries from two sources. */
interface TwoSources {
  /** The answers of workers. */
  readonly answered: AsyncGenerator<LedgerEntry>;
  /** Derives all entries without a worker; `why`: the error of the workers, unless they only take long. */
  readonly replay: (why?: WorkerAwayError) => Promise<readonly LedgerEntry[]>;
  /** Ends what `answered` waits for. */
  readonly stopAsking: () => void;
}

/** Yields the entries that workers answer; once the histories are replayed before a worker answers, those of the replay. */
export async function* answeredOrReplayed({ answered, replay, stopAsking }: TwoSources) {
  let last = 0;
  let replaying: Promise<Replayed> | undefined;
  // A worker that is slow with each run of a long job is waited for many times; the histories are replayed once.
  const replayOnce = (why?: WorkerAwayError) =>
    (replaying ??= replay(why).then((replayed) => ({ replayed })));
  for (;;) {
    const found = await firstOf(answered.next(), replayOnce, replaying ? 0 : PATIENCE_MS);
    if ('replayed' in found) {
      stopAsking();
      yield* found.replayed.filter(({ seq }) => seq > last);
      return;
    }
    if (found.done) return;
    last = found.value.seq;
    yield found.value;
  }
}

type Answer = IteratorResult<LedgerEntry>;
type Replayed = { readonly replayed: readonly LedgerEntry[] };

async function firstOf(
  answer: Promise<Answer>,
  replayOnce: (why?: WorkerAwayError) => Promise<Replayed>,
  patienceMs: number,
): Promise<Answer | Replayed> {
  const orReplay = answer.catch((error: unknown) => {
    if (!(error instanceof WorkerAwayError)) throw error;
    return replayOnce(error);
  });
  const patience = new AbortController();
  // What fails to replay may still be answered.
  const meanwhile = delay(patienceMs, undefined, { signal: patience.signal })
    .then(() => replayOnce())
    .catch(() => orReplay);
  try {
    return await Promise.race([orReplay, meanwhile]);
  } finally {
    patience.abort();
  }
}
