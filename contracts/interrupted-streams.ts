import { shorten } from '../language/shorten.ts';

/** A stream from the cluster that delivers nothing, so that what the watcher knows of its objects may be old. */
export interface InterruptedStream {
  /** The objects, e.g. `v1/pods`. */
  readonly stream: string;
  /** Since when it cannot be read, in epoch milliseconds. */
  readonly since: number;
  readonly why: string;
}

const WHY_LENGTH = 500;

/** Returns the value of the annotation on the lease; undefined without interruptions. */
export const formatInterruptedStreams = (interruptions: readonly InterruptedStream[]): string | undefined =>
  interruptions.length === 0
    ? undefined
    : JSON.stringify(interruptions.map((one) => ({ ...one, why: shorten(one.why, WHY_LENGTH) })));

/** Ignores what a watcher of another version may have written. */
export function parseInterruptedStreams(text: string | undefined): readonly InterruptedStream[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.filter(isInterruptedStream) : [];
  } catch {
    return [];
  }
}

const isInterruptedStream = (value: unknown): value is InterruptedStream =>
  typeof value === 'object' &&
  value !== null &&
  'stream' in value &&
  'why' in value &&
  'since' in value &&
  Number.isFinite(value.since);

export const interruptedSince = ({ stream, since, why }: InterruptedStream): string =>
  `${stream}: interrupted since ${new Date(since).toISOString()}: ${why}`;
