import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestCause } from '../../contracts/ledger.ts';
import { ASKED_SIGNAL, DIGEST_SIGNAL } from '../../contracts/messages.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import type { LedgerEntry } from '../../contracts/types.ts';
import { replayJobs } from '../../worker/replay/replay-jobs.ts';
import type { ReplayedJob } from '../../worker/replay/replayer.ts';
import { faultsBySchema } from '../frameworks/schemas/validators.ts';
import { RECORDED, type RecordedEvent, recordedHistory } from './recorded-histories.ts';

/** The ledgers of all recorded histories, against what the raw histories say. */

/** Histories of other workflows, which have no ledger. */
const OTHERS = ['orphan', 'expired', 'parameter-sweep', 'archiver'];
/** Runs that go on where an earlier run ended. */
const LATER_RUNS = ['taken-up', 'last-run'];
const JOBS = RECORDED.filter((name) => !OTHERS.includes(name));

const replayed = new Map<string, ReplayedJob>();

beforeAll(async () => {
  const jobs = RECORDED.map((name) => ({ workflowId: name, runs: [recordedHistory(name)] }));
  for await (const job of replayJobs(jobs)) replayed.set(job.workflowId, job);
});

const ledgerOf = (name: string) => replayed.get(name)!.entries;

describe.each(JOBS)('the ledger of %s', (name) => {
  it('is derived without errors or gaps', () => {
    expect(replayed.get(name)!.error).toBeUndefined();
    const [first] = ledgerOf(name);
    if (!LATER_RUNS.includes(name)) expect(first!.seq).toBe(1);
    expect(ledgerOf(name).map(({ seq }) => seq)).toEqual(
      ledgerOf(name).map((_, index) => first!.seq + index),
    );
  });

  it('matches its schema', () => {
    expect(ledgerOf(name).flatMap((entry) => faultsBySchema('ledger-entry', entry))).toEqual([]);
  });

  it('continues from state to state, and never back in time', () => {
    const entries = ledgerOf(name);
    for (const [index, { from, at }] of entries.entries()) {
      const before = entries[index - 1];
      if (before) expect([from, at >= before.at]).toEqual([before.to, true]);
      else expect(from === undefined).toBe(!LATER_RUNS.includes(name));
    }
  });

  it('begins with the submission, and ends as the history does', () => {
    const entries = ledgerOf(name);
    if (!LATER_RUNS.includes(name)) expect(entries[0]?.cause.type).toBe('submitted');
    const outcome = outcomeIn(recordedHistory(name).events);
    if (!outcome) return;
    const { to, phase, attempt, restarts = 0, reason } = entries.at(-1)!;
    expect({ to, phase, attempt, restarts, reason }).toEqual({
      to: outcome.state,
      phase: outcome.phase,
      attempt: outcome.attempt,
      restarts: outcome.restarts,
      reason: outcome.cause?.reason,
    });
  });

  it('has an entry for every request, in order', () => {
    const asked = ledgerOf(name).flatMap(({ cause }) => (cause.type === 'request' ? [cause] : []));
    const by = (through: string) => asked.filter((one) => one.through === through);
    const { events } = recordedHistory(name);
    const updates = by('update').map(({ id, request }) => [id, request]);
    // A manifest that suspends the job and changes it has two entries, one after the other.
    const once = updates.filter(([id], index) => id !== updates[index - 1]?.[0]);
    expect(once).toEqual(updatesIn(events));
    expect(by('signal').map(({ request }) => request)).toEqual(signalsIn(events));
    expect(by('cancellation')).toHaveLength(countOf(events, 'WORKFLOW_EXECUTION_CANCEL_REQUESTED'));
  });

  it('numbers the revisions of requests: each accepted one made the next', () => {
    const agreed = ledgerOf(name).flatMap(({ cause }) =>
      cause.type === 'request' && isAmending(cause) && !cause.refused ? [cause] : [],
    );
    expect(agreed.map(({ madeRevision }) => madeRevision)).toEqual(agreed.map((_, index) => index + 2));
    const requests = ledgerOf(name).flatMap(({ cause }) => (cause.type === 'request' ? [cause] : []));
    expect(requests.filter(({ madeRevision }) => madeRevision !== undefined)).toEqual(agreed);
  });

  it('has the start of the effect for every activity', () => {
    const begun = new Set(ledgerOf(name).flatMap(({ effects = [] }) => effects.map(({ effect }) => effect)));
    const carried = LATER_RUNS.includes(name) ? ['drain'] : [];
    const known = new Set([...begun, ...carried, ...NO_EFFECTS]);
    expect(activitiesIn(recordedHistory(name).events).filter((type) => !known.has(type))).toEqual([]);
  });

  it('has the duration of each effect, from the entry in which it began', () => {
    const entries = ledgerOf(name);
    const ended = entries.filter(
      (entry): entry is LedgerEntry & { cause: { type: 'effect' } } => entry.cause.type === 'effect',
    );
    for (const { cause, at } of ended) {
      const beginning = entries.find(({ seq }) => seq === cause.began);
      if (!beginning) {
        expect(LATER_RUNS).toContain(name);
        continue;
      }
      expect(beginning.effects?.map(({ effect }) => effect)).toContain(cause.effect);
      if (cause.ms) expect(Date.parse(at) - Date.parse(beginning.at)).toBe(cause.ms);
    }
  });
});

it.each(OTHERS)('%s has no ledger, because it is another workflow', (name) => {
  expect(replayed.get(name)).toEqual({ workflowId: name, entries: [], steps: [] });
});

/** A manifest can also say what the job is already, or only suspend it. */
const isAmending = ({ request, madeRevision }: RequestCause) =>
  ['scale', 'amendPolicy'].includes(request) || (request === 'apply' && madeRevision !== undefined);

/** What the workflow does beside the machine's effects. */
const NO_EFFECTS = ['recordStatus', 'askWatcher', 'amend', 'revise'];

type Fields = Readonly<Record<string, unknown>>;

const attributesOf = (event: RecordedEvent): Fields =>
  (Object.entries(event).find(([name]) => name.endsWith('EventAttributes'))?.[1] ?? {}) as Fields;

const ofType = (events: readonly RecordedEvent[], type: string) =>
  events.filter(({ eventType }) => eventType === `EVENT_TYPE_${type}`).map(attributesOf);

const countOf = (events: readonly RecordedEvent[], type: string) => ofType(events, type).length;

const activitiesIn = (events: readonly RecordedEvent[]): string[] =>
  ofType(events, 'ACTIVITY_TASK_SCHEDULED').map(({ activityType }) => String((activityType as Fields).name));

const signalsIn = (events: readonly RecordedEvent[]): string[] =>
  ofType(events, 'WORKFLOW_EXECUTION_SIGNALED')
    .map(({ signalName }) => String(signalName))
    .filter((name) => name !== DIGEST_SIGNAL && name !== ASKED_SIGNAL);

const updatesIn = (events: readonly RecordedEvent[]): unknown[] =>
  ofType(events, 'WORKFLOW_EXECUTION_UPDATE_ACCEPTED').map(({ acceptedRequest }) => {
    const { meta, input } = acceptedRequest as { readonly meta: Fields; readonly input: Fields };
    return [meta.updateId, input.name];
  });

function outcomeIn(events: readonly RecordedEvent[]): JobOutcome | undefined {
  const [completed] = ofType(events, 'WORKFLOW_EXECUTION_COMPLETED');
  const [failed] = ofType(events, 'WORKFLOW_EXECUTION_FAILED');
  const result = completed?.result as Payloads | undefined;
  const info = (failed?.failure as Failure | undefined)?.applicationFailureInfo;
  return decoded(result) ?? decoded(info?.details);
}

interface Payloads {
  readonly payloads: readonly { readonly data: string }[];
}
interface Failure {
  readonly applicationFailureInfo?: { readonly details?: Payloads };
}

/** The outcome is the last: the faults of an invalid manifest come before it. */
function decoded(given: Payloads | undefined): JobOutcome | undefined {
  const data = given?.payloads.at(-1)?.data;
  return data === undefined ? undefined : JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
}
