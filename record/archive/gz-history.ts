import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, createGzip } from 'node:zlib';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { RunEvent, RunHistory } from '../../temporal/run-chain.ts';
import { gunzipped, ofNoSystem } from './gz-file.ts';

/** Of the longest history, 50,000 events, only so many are in memory as text at once. */
const AT_ONCE = 200;

const FIRST_LINE = '{"events":[\n';
const LAST_LINE = '\n]}\n';

/** Returns a history as protobuf JSON, as Temporal's tools export it, with an event on each line, compressed. */
export async function gzippedHistory(history: RunHistory): Promise<Uint8Array> {
  const zipped = Readable.from(partsOf(history)).pipe(createGzip());
  return ofNoSystem(await buffer(zipped));
}

function* partsOf({ events }: RunHistory): Generator<string> {
  const all = events ?? [];
  yield FIRST_LINE;
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const text = historyToJSON({ events: all.slice(start, start + AT_ONCE) });
    const { events: some } = JSON.parse(text) as { readonly events: readonly unknown[] };
    yield `${start === 0 ? '' : ',\n'}${some.map((event) => JSON.stringify(event)).join(',\n')}`;
  }
  yield LAST_LINE;
}

/** Reads what `gzippedHistory` returned, or any compressed history in protobuf JSON; that needs more memory. */
export async function parseHistory(bytes: Uint8Array): Promise<RunHistory> {
  const events: RunEvent[] = [];
  let some: unknown[] = [];
  const parse = () => {
    events.push(...(historyFromJSON({ events: some }).events ?? []));
    some = [];
  };
  for await (const line of linesOfJson(bytes)) {
    if (line === undefined) return historyFromJSON(JSON.parse(await gunzipped(bytes)));
    if (line.startsWith('{"')) some.push(JSON.parse(line.replace(/,$/, '')));
    if (some.length === AT_ONCE) parse();
  }
  parse();
  return { events };
}

/** Yields the lines after the first one; undefined if that has more than the beginning. */
async function* linesOfJson(bytes: Uint8Array): AsyncGenerator<string | undefined> {
  let rest: string | undefined;
  for await (const chunk of Readable.from([bytes]).pipe(createGunzip()).setEncoding('utf8')) {
    if (rest === undefined && !(chunk as string).startsWith(FIRST_LINE)) return yield undefined;
    const lines: string[] = (
      rest === undefined ? (chunk as string).slice(FIRST_LINE.length) : `${rest}${chunk}`
    ).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
