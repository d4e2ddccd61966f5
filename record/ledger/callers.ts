import { isDeepStrictEqual } from 'node:util';
import { ASKED_SIGNAL } from '../../contracts/messages.ts';
import type { LedgerEntry, LedgerWho } from '../../contracts/types.ts';
import { asFields } from '../../language/fields.ts';
import { msOf } from '../../temporal/event-time.ts';
import { plainValueIn } from '../../temporal/plain-payload.ts';
import type { RunEvent } from '../../temporal/run-chain.ts';
import { createWriters } from './resource-writers.ts';

type Caller = Pick<LedgerWho, 'identity' | 'authenticated'>;
type Asked = Extract<LedgerEntry['cause'], { readonly who: LedgerWho }>;

/** Who asked for what, from the events of a workflow's runs. */
export interface Callers {
  /** Takes the next event; events of all runs, the oldest first. Payloads of a codec must be decoded before. */
  read(event: RunEvent): void;
  /** Returns the entry with the caller that its event names. Entries in the order of the ledger. */
  join(entry: LedgerEntry): LedgerEntry;
}

/**
 * Joins entries with the events that they stem from. A signal has no id that the workflow could know, so the nth signal
 * of a name belongs to the nth such entry.
 */
export function createCallers(): Callers {
  const updates = new Map<string, Caller>();
  const announced = new Map<string, Announcement[]>();
  const signals = new Map<string, SignalCall[]>();
  const writers = createWriters();
  let starter: Caller | undefined;
  let closer: Caller | undefined;

  const readUpdate = (event: RunEvent): void => {
    const request = updateRequestOf(event);
    const id = request?.meta?.updateId;
    if (!id || updates.has(id)) return;
    const call = {
      request: request.input?.name ?? '',
      argument: plainValueIn(request.input?.args?.payloads?.[0]),
    };
    const checked = (announced.get(id) ?? []).find(
      (asked) => announces(asked, call) && isInTime(asked, event),
    );
    announced.delete(id);
    // The principal of this event is the worker's that accepted the update, so it is not used.
    updates.set(id, { ...clientIdentity(request.meta?.identity), ...checked?.authenticated });
  };
  const readSignal = (event: RunEvent): void => {
    const { signalName, identity, input } = event.workflowExecutionSignaledEventAttributes ?? {};
    if (!signalName) return;
    const argument = plainValueIn(input?.payloads?.[0]);
    if (signalName === ASKED_SIGNAL) announce(announced, argument, event);
    else add(signals, signalName, { argument, ...callerIn(event, identity) });
  };
  const find = (cause: Asked): Caller | undefined => {
    if (cause.type === 'submitted') return withWriter(starter, writers.creator());
    if (cause.type === 'closed') return closer;
    if (cause.through === 'update') {
      const id = cause.id ?? '';
      return withWriter(updates.get(id), writers.editor(id));
    }
    return nextOf(signals.get(cause.through === 'cancellation' ? CANCELLATION : cause.request), cause);
  };

  return {
    read(event) {
      const start = event.workflowExecutionStartedEventAttributes;
      // A later run is started by the worker of the run before.
      if (start && !start.continuedExecutionRunId) starter ??= callerIn(event, start.identity);
      const cancelled = event.workflowExecutionCancelRequestedEventAttributes;
      if (cancelled)
        add(signals, CANCELLATION, { argument: undefined, ...callerIn(event, cancelled.identity) });
      const terminated = event.workflowExecutionTerminatedEventAttributes;
      if (terminated) closer = callerIn(event, terminated.identity);
      readSignal(event);
      readUpdate(event);
      writers.read(event);
    },
    join(entry) {
      if (!('who' in entry.cause)) return entry;
      const caller = find(entry.cause);
      return caller ? { ...entry, cause: { ...entry.cause, who: { ...entry.cause.who, ...caller } } } : entry;
    },
  };
}

/** The bridge asks in the name of the user who wrote the resource. */
const withWriter = (caller: Caller | undefined, writer: string | undefined): Caller | undefined =>
  writer === undefined ? caller : { ...caller, authenticated: { type: 'Kubernetes', name: writer } };

/** No signal has this name: names of Temporal's own begin with two underscores. */
const CANCELLATION = '__cancellation';

interface SignalCall extends Caller {
  readonly argument: unknown;
}

/** A signal that says which update its sender is about to ask for. */
interface Announcement {
  readonly request: unknown;
  readonly argument: unknown;
  readonly authenticated: Caller;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Clients send the update right after its announcement and give up after half a minute, more with a long timeout. One that
 * comes later may be that of another caller who read the announcement in the history.
 */
const ANNOUNCED_MS = 120_000;

function announce(announced: Map<string, Announcement[]>, said: unknown, event: RunEvent): void {
  const { id, request, argument } = asFields(said);
  if (typeof id !== 'string') return;
  add(announced, id, { request, argument, authenticated: authenticatedIn(event), at: timeOfEvent(event) });
}

const isInTime = ({ at }: Announcement, event: RunEvent): boolean => timeOfEvent(event) - at <= ANNOUNCED_MS;

const timeOfEvent = ({ eventTime }: RunEvent): number => msOf(eventTime ?? {});

/** Any user may read an id in the history and use it for something else, so the whole request must be the same. */
const announces = (
  asked: Announcement,
  call: { readonly request: string; readonly argument: unknown },
): boolean =>
  asked.request === call.request && isDeepStrictEqual(asked.argument ?? null, call.argument ?? null);

/** Takes the oldest call that matches this entry. Calls before it were never processed: their run had ended. */
function nextOf(calls: SignalCall[] | undefined, { who, why }: Asked): Caller | undefined {
  const position = calls?.findIndex(
    ({ argument }) => says(argument, 'by', who.given) && says(argument, 'why', why),
  );
  if (!calls || position === undefined || position < 0) return undefined;
  const { argument, ...caller } = calls[position]!;
  calls.splice(0, position + 1);
  return caller;
}

/** The workflow shortens long texts. */
function says(argument: unknown, field: 'by' | 'why', recorded: string | undefined): boolean {
  const said = asFields(argument)[field];
  if (typeof said !== 'string' || recorded === undefined) return true;
  return said.startsWith(recorded.replace(/(\u2026|\.\.\.)$/u, '').trimEnd());
}

function updateRequestOf(event: RunEvent) {
  return (
    event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ??
    event.workflowExecutionUpdateAdmittedEventAttributes?.request
  );
}

const callerIn = (event: RunEvent, identity: string | null | undefined): Caller => ({
  ...clientIdentity(identity),
  ...authenticatedIn(event),
});

const clientIdentity = (identity: string | null | undefined): Caller => (identity ? { identity } : {});

function authenticatedIn({ principal }: RunEvent): Caller {
  const { type, name } = principal ?? {};
  return name ? { authenticated: { type: type ?? '', name } } : {};
}

function add<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}
