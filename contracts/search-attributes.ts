import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** At most eight, of which one is a list: SQL visibility stores have few columns per type (docs/operating.md#temporal). */
export const SEARCH_ATTRIBUTES = {
  kind: defineSearchAttributeKey('JobKind', SearchAttributeType.KEYWORD),
  name: defineSearchAttributeKey('JobName', SearchAttributeType.KEYWORD),
  namespace: defineSearchAttributeKey('JobNamespace', SearchAttributeType.KEYWORD),
  phase: defineSearchAttributeKey('JobPhase', SearchAttributeType.KEYWORD),
  reason: defineSearchAttributeKey('JobReason', SearchAttributeType.KEYWORD),
  attempt: defineSearchAttributeKey('JobAttempt', SearchAttributeType.INT),
  submittedBy: defineSearchAttributeKey('JobSubmittedBy', SearchAttributeType.KEYWORD),
  labels: defineSearchAttributeKey('JobLabels', SearchAttributeType.KEYWORD_LIST),
} as const;
