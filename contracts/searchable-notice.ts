import type { SearchAttributePair } from '@temporalio/common';
import { formatDuration } from '../language/duration.ts';
import { shorten } from '../language/shorten.ts';
import type { NotificationMemo, NotificationRequest, NotifiedChange } from './notifications.ts';
import { SEARCH_ATTRIBUTES } from './search-attributes.ts';
import { searchableText } from './searchable.ts';

/** By what a notification is found: its job, if it is about one. */
export function searchableNotice({ notices }: NotificationRequest): SearchAttributePair[] {
  const { job } = notices[0] ?? {};
  if (!job || notices.length > 1) return [];
  return [
    { key: SEARCH_ATTRIBUTES.kind, value: searchableText(job.kind) },
    { key: SEARCH_ATTRIBUTES.name, value: searchableText(job.name) },
    { key: SEARCH_ATTRIBUTES.namespace, value: searchableText(job.namespace) },
  ];
}

export function memoOfNotification({ route, to, notices, within }: NotificationRequest): NotificationMemo {
  const [first] = notices;
  const owner = first?.job?.owner;
  return {
    ...{
      route,
      to: owner === undefined ? to : `${to} (${owner})`,
      says: wordsOf(notices),
      at: first?.at ?? '',
    },
    ...(within === undefined ? {} : { within }),
  };
}

const MOST_WORDS = 200;

/** `Failed (PodFailed)`; `Pending (WaitingForGang) for 30m`; `12 jobs: Failed (PodFailed)`. */
export function wordsOf(notices: readonly NotifiedChange[]): string {
  const kinds = [...new Set(notices.map(stateOf))];
  const what = shorten(kinds.join(', '), MOST_WORDS);
  return notices.length > 1 ? `${notices.length} jobs: ${what}` : what;
}

function stateOf({ job, engine, forMs }: NotifiedChange): string {
  const state = job ? job.phase + (job.reason ? ` (${job.reason})` : '') : (engine ?? '');
  return forMs === undefined ? state : `${state} for ${formatDuration(forMs)}`;
}
