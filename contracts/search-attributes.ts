import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** At most six: SQL visibility stores have few columns per type. */
export const SEARCH_ATTRIBUTES = {
  kind: defineSearchAttributeKey('JobKind', SearchAttributeType.KEYWORD),
  name: defineSearchAttributeKey('JobName', SearchAttributeType.KEYWORD),
  namespace: defineSearchAttributeKey('JobNamespace', SearchAttributeType.KEYWORD),
  phase: defineSearchAttributeKey('JobPhase', SearchAttributeType.KEYWORD),
  reason: defineSearchAttributeKey('JobReason', SearchAttributeType.KEYWORD),
  attempt: defineSearchAttributeKey('JobAttempt', SearchAttributeType.INT),
} as const;
