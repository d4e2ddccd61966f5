/**
 * What is known of a failed pod, taken before it is deleted. This small part goes into history; the record that `ref`
 * names has containers' states, log lines, the node's conditions and the pod's events.
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
  /** RFC 3339. */
  readonly takenAt: string;
  /** Where the record is: `file:///...` or `s3://bucket/key`. */
  readonly ref?: string;
  /** Indices of the policy's rules whose pattern was found. */
  readonly matches?: readonly number[];
  /** What could not be captured, and why. */
  readonly incomplete?: string;
}
