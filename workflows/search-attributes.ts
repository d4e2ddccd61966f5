import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { ReasonCode } from '../contracts/reasons.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import type { JobStatus } from '../contracts/status.ts';

/**
 * Updates the attributes by which a job and its state can be searched. Adds to the history only if they changed. `last`:
 * the status of the last update; without it the attributes are those that the workflow was started with.
 */
export function updateSearchAttributes(status: JobStatus, last?: JobStatus): void {
  const known = last ? attributesOf(last) : givenAttributes();
  const changes = attributesOf(status).filter(({ value }, index) => value !== known[index]!.value);
  if (changes.length > 0) upsertSearchAttributes(changes);
}

const { kind, name, namespace, phase, attempt, reason } = SEARCH_ATTRIBUTES;

const attributesOf = (status: JobStatus): SearchAttributeUpdatePair[] => [
  { key: kind, value: status.kind },
  { key: name, value: status.name },
  { key: namespace, value: status.namespace },
  { key: phase, value: status.phase },
  { key: attempt, value: status.attempt },
  { key: reason, value: searchedReason(status) },
];

function givenAttributes(): { readonly value: unknown }[] {
  const { typedSearchAttributes } = workflowInfo();
  const keys = [kind, name, namespace, phase, attempt, reason] as const;
  return keys.map((key) => ({ value: typedSearchAttributes.get(key as typeof kind) ?? null }));
}

/** Every job has these for a moment, and nobody searches for them. */
const PASSING: ReadonlySet<string> = new Set<ReasonCode>(['CreatingObjects', 'AwaitingWatcher']);

const searchedReason = ({ cause }: JobStatus) => (cause && !PASSING.has(cause.reason) ? cause.reason : null);
