/** What an auditor wants to know of. Each is optional; all that are given must fit. */
export interface AuditFilter {
  /** Who asked, or submitted: as given, as authenticated, or the client’s identity; `ana` also finds `ana@laptop`. */
  readonly by?: string;
  readonly since?: Date;
  /** Before this time. */
  readonly until?: Date;
  readonly namespace?: string;
  readonly kind?: string;
  /** NAME, NAMESPACE/NAME or a workflow id. */
  readonly job?: string;
  readonly phase?: string;
  readonly reason?: string;
  readonly node?: string;
  /** Name of what was asked, e.g. `stop`. */
  readonly request?: string;
  /** Part of the rule that decided, in any letter case. */
  readonly rule?: string;
  /** Waited for one thing at least this long, in seconds. */
  readonly waited?: number;
  readonly restarted?: boolean;
}

export type FilterName = keyof AuditFilter;

/** A value that is bound to a parameter of a statement, never part of its text. */
export type BoundValue = string | number | Date;
