/** What a schedule does when a job is due while an earlier one still runs; the client's `OverlapPolicy` says what each means. */
export const OVERLAP_POLICIES = ['skip', 'queue-one', 'queue-all', 'stop-running', 'allow'] as const;
