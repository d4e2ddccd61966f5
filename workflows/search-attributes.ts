import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import type { JobStatus } from '../contracts/status.ts';

/** Updates the attributes by which a job and its state can be searched. Adds to the history only if they changed. */
export function updateSearchAttributes(status: JobStatus, last?: JobStatus): void {
  const changes = changesOf(status, last);
  if (changes.length > 0) upsertSearchAttributes(changes);
}

function changesOf(status: JobStatus, last: JobStatus | undefined): SearchAttributeUpdatePair[] {
  const { kind, name, namespace, phase, reason, attempt } = SEARCH_ATTRIBUTES;
  const pairs: SearchAttributeUpdatePair[] = [];
  if (last?.kind !== status.kind) pairs.push({ key: kind, value: status.kind });
  if (last?.name !== status.name) pairs.push({ key: name, value: status.name });
  if (last?.namespace !== status.namespace) pairs.push({ key: namespace, value: status.namespace });
  if (last?.phase !== status.phase) pairs.push({ key: phase, value: status.phase });
  if (last?.attempt !== status.attempt) pairs.push({ key: attempt, value: status.attempt });
  if (last?.cause?.reason !== status.cause?.reason) {
    pairs.push({ key: reason, value: status.cause?.reason ?? null });
  }
  return pairs;
}
