import type { CallOptions } from './client-settings.ts';
import type { TemporalPort } from './ports.ts';
import { retryWhileAway } from './retry-while-away.ts';
import { toClientError } from './temporal-errors.ts';

/** What a call to Temporal is about. */
interface Subject {
  readonly ports: TemporalPort;
  /** Empty if it is about no job. */
  readonly workflowId: string;
}

interface Asked extends Subject {
  readonly options: CallOptions;
}

/** Calls Temporal, and again while it is unavailable. Throws errors of this library. */
export const ask = <T>({ options, ...subject }: Asked, call: () => Promise<T>): Promise<T> =>
  translated(subject, () => retryWhileAway(subject.ports.temporal, options, call));

/** Throws errors of this library instead of Temporal's. */
export async function translated<T>(subject: Subject, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translatedError(subject, error);
  }
}

/** Yields what `work` yields; throws errors of this library instead of Temporal's. */
export async function* eachTranslated<T>(subject: Subject, work: () => AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* work();
  } catch (error) {
    throw translatedError(subject, error);
  }
}

const translatedError = ({ ports, workflowId }: Subject, error: unknown) =>
  toClientError(error, {
    workflowId,
    address: ports.temporalAddress,
    namespace: ports.temporal.options.namespace,
  });
