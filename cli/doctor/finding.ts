/** What `signalbox doctor` looks at, in this order. */
const PARTS = [
  'settings',
  'Temporal',
  'workers',
  'cluster',
  'watcher',
  'bridge',
  'gangs',
  'lanes',
  'evidence',
  'archive',
  'notifier',
] as const;

export interface Finding {
  readonly part: (typeof PARTS)[number];
  /** What was looked at, in one or two words. */
  readonly check: string;
  /** `warning`: jobs run, but not as well as they could, or it could not be found out. `fault`: jobs do not run, or leave no record. */
  readonly state: 'ok' | 'warning' | 'fault';
  readonly message: string;
  /** How to mend it. */
  readonly remedy?: string;
}

/** Creates findings of one part. */
export const findingsOf = (part: Finding['part']) => ({
  ok: (check: string, message: string): Finding => ({ part, state: 'ok', check, message }),
  warning: (check: string, message: string, remedy: string): Finding => ({
    ...{ part, state: 'warning', check, message, remedy },
  }),
  fault: (check: string, message: string, remedy: string): Finding => ({
    ...{ part, state: 'fault', check, message, remedy },
  }),
});
