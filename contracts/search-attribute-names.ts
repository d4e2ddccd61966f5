/** Names of the search attributes in Temporal. Apart from their keys, as Temporal's library takes long to load. */
export const ATTRIBUTE_NAMES = {
  kind: 'JobKind',
  name: 'JobName',
  namespace: 'JobNamespace',
  phase: 'JobPhase',
  reason: 'JobReason',
  attempt: 'JobAttempt',
  submittedBy: 'JobSubmittedBy',
  labels: 'JobLabels',
} as const;
