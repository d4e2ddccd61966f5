/**
 * Summary of a failed pod, taken before the pod is deleted and kept in the workflow's history. The record at `ref` adds
 * container states, log lines, node conditions and events.
 *
 * @public
 */
export interface EvidenceSummary {
  readonly pod: string;
  readonly uid: string;
  /** In lower case. */
  readonly role: string;
  readonly index: number;
  readonly attempt: number;
  readonly node?: string;
  readonly container?: string;
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  /** How often the container had ended in this pod, this end included. */
  readonly ends?: number;
  /** RFC 3339. */
  readonly takenAt: string;
  /** URL of the record: `file:///...` or `s3://bucket/key`. */
  readonly ref?: string;
  /** Indices of the policy's rules whose pattern matches. */
  readonly matches?: readonly number[];
  /** What could not be captured, and why. */
  readonly incomplete?: string;
}
