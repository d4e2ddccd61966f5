import type { Digest, RoleDigest } from '../../contracts/digest.ts';
import { formatRanges } from '../../contracts/index-ranges.ts';
import type { JobStatus } from '../../contracts/status.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { CleanUpScope, Effect } from '../../machines/job-events.ts';
import { statusOf } from '../../machines/job-status.ts';
import { begin, step } from '../../machines/step.ts';

export interface Course {
  readonly whenRunning: JobStatus;
  readonly whenSucceeded: JobStatus;
  /** Pods that stay, by name of their role. */
  readonly rolesLeft: readonly string[];
}

/** What the machine makes of a job whose pods all run, and of which those that decide then succeed. */
export function courseOf({ plan }: TrainingJob): Course {
  const created = begin({ plan, anchorUid: 'anchor', gang: 'none' }, 0).job;
  const placed = step(created, { type: 'effectDone', effect: 'createAttempt', revision: 1, at: 1000 }).job;
  const running = step(placed, { type: 'digest', digest: digestOf(plan.roles, []), at: 2000 }).job;
  const digest = digestOf(plan.roles, plan.successRoles);
  const { job, effects } = step(running, { type: 'digest', digest, at: 3000 });
  return {
    whenRunning: statusOf(running, []),
    whenSucceeded: statusOf(job, []),
    rolesLeft: plan.roles.map(({ name }) => name).filter(staysAfter(scopeOf(effects), plan.successRoles)),
  };
}

const staysAfter = (scope: CleanUpScope, finished: readonly string[]) => (role: string) =>
  scope === 'None' || (scope === 'Running' && finished.includes(role));

function scopeOf(effects: readonly Effect[]): CleanUpScope {
  const cleanUp = effects.find((effect) => effect.type === 'cleanUp');
  if (!cleanUp) throw new Error('the job did not end');
  return cleanUp.scope;
}

function digestOf(
  roles: readonly { readonly name: string; readonly replicas: number }[],
  succeeded: readonly string[],
): Digest {
  return {
    anchor: 'anchor',
    anchorDeleted: false,
    attempt: 1,
    revision: { pods: succeeded.length ? 3 : 2, groups: 0 },
    roles: Object.fromEntries(
      roles.map(({ name, replicas }) => [name.toLowerCase(), allOf(replicas, succeeded.includes(name))]),
    ),
    earlier: 0,
    restarts: 0,
    failures: [],
  };
}

const allOf = (replicas: number, succeeded: boolean): RoleDigest => ({
  unplaced: 0,
  placed: 0,
  ready: succeeded ? 0 : replicas,
  succeeded: succeeded ? replicas : 0,
  failed: 0,
  leaving: 0,
  done: succeeded ? formatRanges(Array.from({ length: replicas }, (_, index) => index)) : '',
});
