import type { Fault } from '../../contracts/types.ts';
import type { Fields } from '../../language/fields.ts';

/** A kind of manifest that is a schedule of jobs. */
export interface ScheduledKind {
  readonly apiVersion: string;
  readonly kind: string;
  read(manifest: Fields): ManifestOfSchedule | { readonly faults: readonly Fault[] };
}

/** What such a manifest says. */
export interface ManifestOfSchedule {
  /** Of each of its jobs. */
  readonly job: Fields;
  /** Path in the manifest of what the job has. */
  readonly path: string;
  readonly cron: readonly string[];
  readonly timeZone?: string;
  /** What happens while an earlier job runs. */
  readonly overlap: 'allow' | 'skip' | 'stop-running';
  readonly paused: boolean;
  /** In milliseconds. */
  readonly catchUp?: number;
  /** Of what has no effect. */
  readonly warnings: readonly string[];
}
