import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { RunHistory } from '../../temporal/run-chain.ts';
import { ofNoSystem } from './gz-file.ts';

/** Of the longest history, 50,000 events, only so many are in memory as text at once. */
const AT_ONCE = 200;

/** Returns a history as protobuf JSON, as Temporal's tools export it, compressed. */
export async function gzippedHistory(history: RunHistory): Promise<Uint8Array> {
  const zipped = Readable.from(partsOf(history)).pipe(createGzip());
  return ofNoSystem(await buffer(zipped));
}

function* partsOf({ events }: RunHistory): Generator<string> {
  const all = events ?? [];
  yield '{"events":[';
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const text = historyToJSON({ events: all.slice(start, start + AT_ONCE) });
    const { events: some } = JSON.parse(text) as { readonly events: readonly unknown[] };
    yield `${start === 0 ? '' : ','}${some.map((event) => JSON.stringify(event)).join(',')}`;
  }
  yield ']}\n';
}
