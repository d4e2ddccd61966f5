/** What a source says of a node, worst first. */
export const VERDICTS = ['Sick', 'InRepair', 'Leaving'] as const;
export type HealthVerdict = (typeof VERDICTS)[number];

/** How a sentence goes on that begins with a node. */
export const VERDICT_WORDS: Readonly<Record<HealthVerdict, string>> = {
  Sick: 'is sick',
  InRepair: 'is being repaired',
  Leaving: 'goes away',
};

/** Whether a warning of a status is what a source says of a node. */
export const isNoticeText = (warning: string): boolean =>
  Object.values(VERDICT_WORDS).some((words) => warning.match(/^node \S+ (.*)/)?.[1]?.startsWith(words));

/** What a source says of a node, as jobs hear it. */
export interface NodeNotice {
  readonly verdict: HealthVerdict;
  readonly source: string;
  readonly key: string;
  /** The value, or reason and message of a condition: a line without secrets. */
  readonly reason?: string;
  /** Epoch milliseconds. */
  readonly since: number;
  /** When the node goes, in epoch milliseconds. */
  readonly deadline?: number;
  /** Nobody has said the deadline: it is what such a source usually leaves. */
  readonly isAssumed?: true;
}
