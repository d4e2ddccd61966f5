import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { MEMO } from '../contracts/messages.ts';
import type { ReasonCode } from '../contracts/reasons.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { searchableLabels, searchableText } from '../contracts/searchable.ts';
import type { JobStatus } from '../contracts/types.ts';
import { noteError } from './error-memo.ts';

/** The attributes by which a job and its state can be searched. */
export interface SearchAttributes {
  /** Adds to the history only if phase, reason or attempt have changed, what the job is called, or why it has failed. */
  update(status: JobStatus): void;
}

/**
 * `manifest`: what the job is made from, which an edit replaces. `last`: the status of the last update; without it the
 * attributes are those that the workflow was started with.
 */
export function createSearchAttributes(manifest: () => unknown, last?: JobStatus): SearchAttributes {
  let known = last && attributesOf(last);
  return {
    update: (status) => {
      const wanted = attributesOf(status);
      const given = known ?? givenAttributes();
      known = wanted;
      const changes = wanted.filter(({ value }, index) => value !== given[index]!.value);
      // Clients set the others at the start. Where they lack or are of before an edit, they wait for an event that comes anyway.
      if (changes.length > 0) upsertSearchAttributes([...changes, ...others(manifest())]);
      noteError(status);
    },
  };
}

const { kind, name, namespace, phase, attempt, reason, submittedBy, labels } = SEARCH_ATTRIBUTES;

const attributesOf = (status: JobStatus): SearchAttributeUpdatePair[] => [
  { key: kind, value: status.kind },
  { key: name, value: status.name },
  { key: namespace, value: status.namespace },
  { key: phase, value: status.phase },
  { key: attempt, value: status.attempt },
  { key: reason, value: lastingReason(status) ?? null },
];

function givenAttributes(): { readonly value: unknown }[] {
  const { typedSearchAttributes } = workflowInfo();
  const keys = [kind, name, namespace, phase, attempt, reason] as const;
  return keys.map((key) => ({ value: typedSearchAttributes.get(key as typeof kind) ?? null }));
}

function others(manifest: unknown): SearchAttributeUpdatePair[] {
  const { typedSearchAttributes: given, memo } = workflowInfo();
  // May be known only when the job is admitted.
  const who = memo?.[MEMO.submittedBy];
  const found = searchableLabels(manifest);
  return [
    ...(typeof who === 'string' && given.get(submittedBy) === undefined
      ? [{ key: submittedBy, value: searchableText(who) }]
      : []),
    ...(isSame(given.get(labels) ?? [], found)
      ? []
      : [{ key: labels, value: found.length > 0 ? [...found] : null }]),
  ];
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text, index) => text === other[index]);

/** Every job has these for a moment, so a search for them is useless. */
const PASSING: ReadonlySet<string> = new Set<ReasonCode>(['CreatingObjects', 'AwaitingWatcher']);

/** Why the job is as it is, unless that is soon over. */
export const lastingReason = ({ cause }: JobStatus): ReasonCode | undefined =>
  cause && !PASSING.has(cause.reason) ? cause.reason : undefined;
