import type { NotifiedChange } from '../../contracts/notifications.ts';
import type { RoutedNotice } from './news-of-jobs.ts';

/** Notices of one route that are told by one message. */
export interface DueMessage {
  readonly route: string;
  readonly notices: readonly NotifiedChange[];
}

/** So many of one cause in one look are one message. */
const GROUP_FROM = 4;
/** Those of the same cause that come after a group wait for so long. */
const HOLD_MS = 60_000;
/** More messages of a route in that time become one. */
const MOST_MESSAGES = 10;
/** A message of Temporal has room for some thousands of short notices. */
const MOST_IN_GROUP = 200;
/** Keys that are remembered, so that what was told is not started again and refused. */
const MOST_TOLD = 20_000;

/** Decides which notices are told now, and which together. Times are of a clock that does not jump, in milliseconds. */
export class MessagesDue {
  readonly #waiting = new Map<string, RoutedNotice>();
  readonly #told = new Set<string>();
  /** By route and cause: until when others of it wait. */
  readonly #heldUntil = new Map<string, number>();
  /** By route and owner: when their last messages were made. */
  readonly #made = new Map<string, readonly number[]>();

  add(notices: readonly RoutedNotice[]): void {
    for (const one of notices) {
      const id = idOf(one);
      if (!this.#told.has(id)) this.#waiting.set(id, one);
    }
  }

  /** When the earliest of those that wait began, RFC 3339: a look must go back so far if this memory is lost. */
  get oldestWaiting(): string | undefined {
    return [...this.#waiting.values()].map(({ notice }) => notice.at).sort()[0];
  }

  /** Returns the messages to make now. Each is made again until `made` is called. */
  take(now: number): readonly DueMessage[] {
    const together = Map.groupBy(this.#waiting.values(), addresseesOf);
    return [...together.values()].flatMap((notices) => this.#takeOf(notices, now));
  }

  /** A message was made, or had been made before. */
  made({ route, notices }: DueMessage, now: number): void {
    for (const notice of notices) {
      this.#waiting.delete(idOf({ route, notice }));
      this.#remember(idOf({ route, notice }));
    }
    const addressees = addresseesOf({ route, notice: notices[0]! });
    this.#made.set(addressees, [...this.#lately(addressees, now), now]);
    if (notices.length < GROUP_FROM) return;
    for (const notice of notices) this.#heldUntil.set(causeOf(route, notice), now + HOLD_MS);
  }

  /** Of one route and owner. */
  #takeOf(waiting: readonly RoutedNotice[], now: number): readonly DueMessage[] {
    const { route } = waiting[0]!;
    const due = waiting
      .map(({ notice }) => notice)
      .filter((notice) => (this.#heldUntil.get(causeOf(route, notice)) ?? 0) <= now);
    const groups = [...Map.groupBy(due, (notice) => causeOf(route, notice)).values()];
    const messages = groups.flatMap((notices) =>
      notices.length >= GROUP_FROM ? inParts(notices) : notices.map((one) => [one]),
    );
    const left = MOST_MESSAGES - this.#lately(addresseesOf(waiting[0]!), now).length;
    if (messages.length <= left) return messages.map((notices) => ({ route, notices }));
    if (left <= 0) return [];
    // The last one that may be made tells all the rest.
    const single = messages.slice(0, left - 1);
    const rest = messages.slice(left - 1).flat();
    return [...single, ...inParts(rest)].map((notices) => ({ route, notices }));
  }

  #lately(addressees: string, now: number): readonly number[] {
    return (this.#made.get(addressees) ?? []).filter((at) => now - at < HOLD_MS);
  }

  #remember(id: string): void {
    this.#told.add(id);
    const [oldest] = this.#told;
    if (this.#told.size > MOST_TOLD && oldest !== undefined) this.#told.delete(oldest);
  }
}

const idOf = ({ route, notice }: RoutedNotice): string => `${route}/${notice.key}`;

/** No owner is told of the jobs of another one. */
const addresseesOf = ({ route, notice: { job } }: RoutedNotice): string => `${route} ${job?.owner ?? ''}`;

const causeOf = (route: string, { job, engine }: NotifiedChange): string =>
  [route, job?.owner, job?.phase, job?.reason, job?.node, engine].join(' ');

function inParts(notices: readonly NotifiedChange[]): (readonly NotifiedChange[])[] {
  const count = Math.ceil(notices.length / MOST_IN_GROUP);
  return Array.from({ length: count }, (_, part) =>
    notices.slice(part * MOST_IN_GROUP, (part + 1) * MOST_IN_GROUP),
  );
}
