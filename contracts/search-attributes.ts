import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { ATTRIBUTE_NAMES } from './search-attribute-names.ts';

/** At most eight, of which one is a list: SQL visibility stores have few columns per type (docs/operating.md#temporal). */
export const SEARCH_ATTRIBUTES = {
  kind: defineSearchAttributeKey(ATTRIBUTE_NAMES.kind, SearchAttributeType.KEYWORD),
  name: defineSearchAttributeKey(ATTRIBUTE_NAMES.name, SearchAttributeType.KEYWORD),
  namespace: defineSearchAttributeKey(ATTRIBUTE_NAMES.namespace, SearchAttributeType.KEYWORD),
  phase: defineSearchAttributeKey(ATTRIBUTE_NAMES.phase, SearchAttributeType.KEYWORD),
  reason: defineSearchAttributeKey(ATTRIBUTE_NAMES.reason, SearchAttributeType.KEYWORD),
  attempt: defineSearchAttributeKey(ATTRIBUTE_NAMES.attempt, SearchAttributeType.INT),
  submittedBy: defineSearchAttributeKey(ATTRIBUTE_NAMES.submittedBy, SearchAttributeType.KEYWORD),
  labels: defineSearchAttributeKey(ATTRIBUTE_NAMES.labels, SearchAttributeType.KEYWORD_LIST),
} as const;
