import { RefusedError } from '../client/errors/errors.ts';
import type { RpcAnswer } from '../contracts/rpc.ts';
import { isFields } from '../language/fields.ts';

/** Of JSON. Temporal's server logs a warning for each payload of more than 512 KiB (`limit.blobSize.warn`). */
const PAGE_BYTES = 500_000;
/** Temporal refuses a payload of more than 2 MiB (`limit.blobSize.error`); a codec may add some bytes. */
export const MOST_BYTES = 1_900_000;

interface Paging<T> {
  /** Of an earlier answer. */
  readonly cursor: string | undefined;
  /** Identifies an item among the others. */
  readonly keyOf: (item: T) => string;
  /** Of all pages together. */
  readonly limit?: number;
  /** A command that reads an item that is too large. */
  readonly command: string;
}

/** After which item a page begins, and how many items the pages before had. */
interface Position {
  readonly after: string;
  readonly given: number;
}

/** Takes as many items as fit into an answer. A cursor names the last one, so items that come before it do no harm. */
export async function pagedAnswer<T>(
  items: AsyncIterable<T> | Iterable<T>,
  { cursor, keyOf, limit = Number.POSITIVE_INFINITY, command }: Paging<T>,
): Promise<RpcAnswer> {
  const begin = positionIn(cursor);
  const page: T[] = [];
  let bytes = 0;
  let isBefore = begin !== undefined;
  const given = () => (begin?.given ?? 0) + page.length;
  for await (const item of items) {
    if (isBefore) {
      isBefore = keyOf(item) !== begin?.after;
      continue;
    }
    if (given() >= limit) return { result: page };
    const size = bytesOf(item);
    if (size > MOST_BYTES) throw tooLarge(size, command);
    const last = page.at(-1);
    if (last !== undefined && bytes + size > PAGE_BYTES) {
      return { result: page, cursor: cursorOf({ after: keyOf(last), given: given() }) };
    }
    page.push(item);
    bytes += size;
  }
  if (isBefore) throw new RefusedError(GONE, { remedy: 'Ask again from the first page.' });
  return { result: page };
}

const GONE = 'cursor: expected that of an answer whose last item is still there, got one whose item is gone.';

/** Returns an answer that is no list. */
export function wholeAnswer(result: unknown, command: string): RpcAnswer {
  const size = bytesOf(result);
  if (size > MOST_BYTES) throw tooLarge(size, command);
  return { result };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

const tooLarge = (bytes: number, command: string) =>
  new RefusedError(`The answer has ${bytes} bytes; Temporal takes at most ${MOST_BYTES}.`, {
    remedy: `Read it without Temporal: ${command}`,
  });

const cursorOf = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/** Returns where a page begins. Throws `RefusedError` for a text that is no cursor. */
export function positionIn(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const { after, given } = parsed(cursor);
  if (typeof after === 'string' && typeof given === 'number') return { after, given };
  throw new RefusedError(`cursor: expected that of an earlier answer, got ${JSON.stringify(cursor)}.`);
}

function parsed(cursor: string): Readonly<Record<string, unknown>> {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return isFields(position) ? position : {};
  } catch {
    return {};
  }
}
