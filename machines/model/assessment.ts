import type { Cause } from '../../contracts/types.ts';
import type { Restart } from './restart.ts';

/** The consequence of a failure. */
export type Decision =
  | { readonly is: 'failed'; readonly cause: Cause }
  | ({ readonly is: 'broken' } & Restart)
  /** Evidence must be taken before the failure can be classified. */
  | { readonly is: 'unexamined' };

/** What the newest digest means for the job, and what is wrong with its pods whatever the job does about it. */
export type Assessment = Verdict & { readonly troubles?: TroubleSummary };

interface TroubleSummary {
  readonly message: string;
  /** There is a failed pod to inspect: missing pods leave nothing, and deleted pods cannot be kept. */
  readonly hasFailedPod: boolean;
}

export type Verdict =
  | { readonly is: 'undecided' }
  | { readonly is: 'stopped'; readonly cause: Cause }
  | { readonly is: 'succeeded' }
  /** A rule of its manifest stops or suspends it. */
  | { readonly is: 'ended' | 'suspended'; readonly cause: Cause }
  /** Its queue takes back that it has admitted the job. */
  | { readonly is: 'evicted'; readonly cause: Cause }
  | Decision
  /** Its roles are to change size: while the job runs, or by restarting the gang. */
  | { readonly is: 'resized' | 'resizedAnew' }
  | { readonly is: 'launchable' }
  | { readonly is: 'scheduling' }
  | { readonly is: 'starting' }
  | { readonly is: 'running' };
