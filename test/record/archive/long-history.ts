import proto from '@temporalio/proto';
import type { RunHistory } from '../../../temporal/run-chain.ts';

const PAGE = 250;

const { History } = proto.temporal.api.history.v1;
const { EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED } = proto.temporal.api.enums.v1.EventType;

/** Returns a history of so many signals, decoded page by page as a client gets it: 50,000 have 35 MB. */
export function longHistory(count: number): RunHistory {
  const pages = Array.from({ length: count / PAGE }, (_, page) => History.decode(encodedPage(page * PAGE)));
  return { events: pages.flatMap(({ events }) => events) };
}

const encodedPage = (before: number): Uint8Array =>
  History.encode({ events: Array.from({ length: PAGE }, (_, index) => signal(before + index + 1)) }).finish();

function signal(eventId: number) {
  const data = Buffer.from(JSON.stringify(`${eventId} `.repeat(100)));
  return {
    eventId: eventId as never,
    eventTime: { seconds: 1_700_000_000 as never, nanos: 5_000_000 },
    eventType: EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
    workflowExecutionSignaledEventAttributes: {
      signalName: 'digest',
      identity: 'watcher@host',
      input: { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data }] },
    },
  };
}
