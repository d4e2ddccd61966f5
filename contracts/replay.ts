/**
 * A worker that replays histories for their ledgers has task queues whose names begin with this. Workflows hand over
 * nothing elsewhere: each call of a sink would cost a live worker a message between its threads.
 */
export const LEDGER_REPLAY = 'signalbox-ledger-replay';
