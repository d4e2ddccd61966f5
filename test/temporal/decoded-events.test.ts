import { describe, expect, it } from '@jest/globals';
import type { PayloadCodec } from '@temporalio/common';
import { decodedEvents } from '../../temporal/decoded-events.ts';
import type { RunEvent } from '../../temporal/run-chain.ts';
import { entriesOf, recorded, submitted, updated, whoIn } from '../record/ledger/events.ts';
import { withCallers } from '../record/ledger/with-callers.ts';

/** Turns every byte around. */
const codec: PayloadCodec = {
  encode: async (payloads) => payloads.map((payload) => ({ data: payload.data?.map((byte) => byte ^ 255) })),
  decode: async (payloads) =>
    payloads.map(({ data }) => ({
      metadata: { encoding: Buffer.from('json/plain') },
      data: data?.map((byte) => byte ^ 255),
    })),
};
const clientWith = (...payloadCodecs: PayloadCodec[]) =>
  ({ options: { loadedDataConverter: { payloadCodecs } } }) as never as Parameters<typeof decodedEvents>[0];

const ana = { identity: '1@laptop', subject: 'ana' };
const argument = { by: 'ana' };
const events: RunEvent[] = [
  recorded.started(ana),
  recorded.signalled('asked', { id: 'u-1', request: 'stop', argument }, ana),
  recorded.accepted({ id: 'u-1', name: 'stop', argument }, ana),
  ...recorded.ran(7, 'admit', { result: { requester: 'ben' } }),
];

/** As a server has them whose clients encrypt. */
const encoded = () =>
  Promise.all(
    events.map(async (event): Promise<RunEvent> => {
      const copy = structuredClone(event);
      const signal = copy.workflowExecutionSignaledEventAttributes?.input;
      const update = copy.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.args;
      const activity = copy.activityTaskScheduledEventAttributes?.input;
      const result = copy.activityTaskCompletedEventAttributes?.result;
      for (const input of [signal, update, activity, result]) {
        if (input) input.payloads = await codec.encode(input.payloads ?? []);
      }
      return copy;
    }),
  );

const whoAsked = (given: readonly RunEvent[]) =>
  withCallers(entriesOf(updated('stop', 'u-1'), submitted()), [{ events: [...given] }]).map(whoIn);

describe('events with a payload codec', () => {
  it('have who asked after they are decoded', async () => {
    const stored = await encoded();
    expect(whoAsked(stored)[0]).toEqual({ identity: '1@laptop' });
    expect(whoAsked(await decodedEvents(clientWith(codec), stored))).toEqual(whoAsked(events));
    expect(whoAsked(events).map((who) => who?.authenticated?.name)).toEqual(['ana', 'ben']);
  });

  it('stay the same without a codec', async () => {
    expect(await decodedEvents(clientWith(), events)).toBe(events);
  });
});
