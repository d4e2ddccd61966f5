import type { Cause } from '../../contracts/status.ts';
import type { Restart } from './restart.ts';

/** What a failure leads to. */
export type Decision =
  | { readonly is: 'failed'; readonly cause: Cause }
  | ({ readonly is: 'broken' } & Restart)
  /** Evidence must be taken before it can be told what the failure is. */
  | { readonly is: 'unexamined' };

/** What the newest digest means for the job. */
export type Assessment =
  | { readonly is: 'undecided' }
  | { readonly is: 'stopped'; readonly cause: Cause }
  | { readonly is: 'succeeded' }
  | Decision
  /** Its roles are to have other sizes: while it runs, or with a new start. */
  | { readonly is: 'resized' | 'resizedAnew' }
  | { readonly is: 'launchable' }
  | { readonly is: 'scheduling' }
  | { readonly is: 'starting' }
  | { readonly is: 'running' };
