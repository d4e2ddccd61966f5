import { fieldsOfJson, isFields } from '../language/fields.ts';
import { parseQuantity } from './quantity.ts';

/**
 * The ConfigMap that has the lanes of an installation.
 *
 * @public
 */
export interface LanesReference {
  readonly namespace: string;
  readonly name: string;
}

/** What `SIGNALBOX_LANES` may be. */
export const LANES_EXPECTED = 'NAMESPACE/NAME of a ConfigMap';

/** Reads `SIGNALBOX_LANES`. Returns undefined for what is none. */
export function parseLanesReference(text: string): LanesReference | undefined {
  const [namespace = '', name = '', ...more] = text.split('/');
  return LABEL.test(namespace) && SUBDOMAIN.test(name) && more.length === 0 ? { namespace, name } : undefined;
}

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** What a job asks of its lane, as its newest revision says it; on its anchor. */
export interface LaneRequest {
  readonly lane: string;
  /** The larger comes first. */
  readonly priority: number;
  /** How long it runs at most, as it declares. */
  readonly runsForMs?: number;
  /** What all of its pods request together, by resource. */
  readonly demand: Readonly<Record<string, string>>;
  /** Of its pods. */
  readonly labels: Readonly<Record<string, string>>;
  /** It writes a checkpoint when it has to give back its place. */
  readonly savesFirst?: boolean;
}

/** The place of a job in its lane; on its anchor from when it begins to wait until it is suspended. */
export interface LanePlace {
  /** The attempt that waits, or that was admitted. */
  readonly attempt: number;
  /** Since when the job is in the lane, in epoch milliseconds. */
  readonly since: number;
  /** When it gave back what it had, in epoch milliseconds. */
  readonly requeuedAt?: number;
  /** For whom it gave that back: uid of the anchor of that job. */
  readonly yieldsTo?: string;
  /** Who submitted it. */
  readonly user?: string;
  /** When it took what the lane granted, in epoch milliseconds; absent while it waits. */
  readonly takenAt?: number;
}

export const formatLaneRequest = (request: LaneRequest): string => JSON.stringify(request);

export const formatLanePlace = (place: LanePlace): string => JSON.stringify(place);

/** Returns undefined for what no worker has written: any user can edit annotations. */
export function parseLaneRequest(text: string | undefined): LaneRequest | undefined {
  const { lane, priority, runsForMs, labels, savesFirst, ...more } = fieldsOfJson(text);
  const demand = textsOf(more.demand);
  if (typeof lane !== 'string' || !isNumber(priority) || !areAmounts(demand)) return undefined;
  return {
    ...{ lane, priority, demand, labels: textsOf(labels), savesFirst: savesFirst === true },
    ...(isNumber(runsForMs) && runsForMs > 0 ? { runsForMs } : {}),
  };
}

export function parseLanePlace(text: string | undefined): LanePlace | undefined {
  const { attempt, since, requeuedAt, yieldsTo, user, takenAt } = fieldsOfJson(text);
  if (!isNumber(attempt) || !isNumber(since)) return undefined;
  return {
    ...{ attempt, since },
    ...(isNumber(requeuedAt) ? { requeuedAt } : {}),
    ...(typeof yieldsTo === 'string' ? { yieldsTo } : {}),
    ...(typeof user === 'string' ? { user } : {}),
    ...(isNumber(takenAt) ? { takenAt } : {}),
  };
}

/** An amount below zero would give others what is not there. */
const areAmounts = (demand: LaneRequest['demand']): boolean =>
  Object.values(demand).every((amount) => {
    const nanos = parseQuantity(amount)?.nanos;
    return nanos !== undefined && nanos >= 0n && nanos < MOST;
  });

/** More than any cluster has, in billionths. */
const MOST = 10n ** 33n;

const isNumber = (value: unknown): value is number => Number.isFinite(value);

const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(isFields(value) ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
