import type { LedgerCause, LedgerEntry, LedgerWho } from '../../../contracts/types.ts';
import type { RunEvent } from '../../../temporal/run-chain.ts';

/** Events of a history, as the server returns them, with a principal if the caller was authenticated. */
const events = {
  started: (by: By, continued?: string): RunEvent => ({
    principal: principalOf(by),
    workflowExecutionStartedEventAttributes: { identity: by.identity, continuedExecutionRunId: continued },
  }),
  signalled: (signalName: string, argument: unknown, by: By): RunEvent => ({
    principal: principalOf(by),
    workflowExecutionSignaledEventAttributes: {
      signalName,
      input: payloads(argument),
      identity: by.identity,
    },
  }),
  /** The event of an update is written by the worker. */
  accepted: (update: { id: string; name: string; argument: unknown }, by: By): RunEvent => ({
    principal: { type: 'jwt', name: 'the-worker' },
    workflowExecutionUpdateAcceptedEventAttributes: {
      acceptedRequest: {
        meta: { updateId: update.id, identity: by.identity },
        input: { name: update.name, args: payloads(update.argument) },
      },
    },
  }),
  /** An activity that was scheduled by event `id`, in two events. */
  ran: (
    id: number,
    name: string,
    { request, result }: { request?: unknown; result: unknown },
  ): RunEvent[] => [
    {
      eventId: eventId(id),
      activityTaskScheduledEventAttributes: { activityType: { name }, input: payloads(request) },
    },
    {
      activityTaskCompletedEventAttributes: {
        scheduledEventId: eventId(id),
        result: payloads(result),
      },
    },
  ],
  cancelled: (by: By): RunEvent => ({
    principal: principalOf(by),
    workflowExecutionCancelRequestedEventAttributes: { identity: by.identity },
  }),
  terminated: (by: By): RunEvent => ({
    principal: principalOf(by),
    workflowExecutionTerminatedEventAttributes: { identity: by.identity },
  }),
};
export const recorded = events;

interface By {
  readonly identity?: string;
  /** Subject of the caller's token. */
  readonly subject?: string;
}

const principalOf = ({ subject }: By) => (subject === undefined ? null : { type: 'jwt', name: subject });

/** As servers count them. */
const eventId = (id: number) => id as unknown as NonNullable<RunEvent['eventId']>;

const payloads = (argument: unknown) => ({
  payloads: [
    {
      metadata: { encoding: Buffer.from('json/plain') },
      data: Buffer.from(JSON.stringify(argument) ?? 'null'),
    },
  ],
});

/** Entries of a ledger with these causes; the rest of them does not matter to who asked. */
export function entriesOf(...causes: readonly LedgerCause[]): LedgerEntry[] {
  return causes.map((cause, index) => ({
    seq: index + 1,
    at: '2026-11-23T18:00:00.000Z',
    attempt: 1,
    from: 'Running',
    to: 'Running',
    phase: 'Running',
    cause,
    message: '',
    revision: 1,
  }));
}

export const whoIn = ({ cause }: LedgerEntry): LedgerWho | undefined =>
  'who' in cause ? cause.who : undefined;

export const submitted = (who: LedgerWho = {}): LedgerCause => ({ type: 'submitted', who });

export const signalled = (request: string, who: LedgerWho = {}, why?: string): LedgerCause => ({
  ...{ type: 'request', request, through: 'signal', who },
  ...(why === undefined ? {} : { why }),
});

export const updated = (request: string, id: string, who: LedgerWho = {}): LedgerCause => ({
  ...{ type: 'request', request, through: 'update', id, who },
});
