import type { JobContext } from '../model/job-context.ts';
import { countMissing, digestOf } from '../model/role-counts.ts';

/** The hash of the job's list of pods, if the list is complete and another one than was published last. */
export function rosterDue(context: JobContext): string | undefined {
  const { plan, digest, barrier } = context;
  if (!plan.roster || !digest?.roster || digest.revision.pods < barrier) return undefined;
  const { pods, hash } = digest.roster;
  return hash !== context.roster && pods >= expectedPods(context) ? hash : undefined;
}

/** Pods that a complete list has: all of them, or those that can still be ready; more while some are missing. */
function expectedPods(context: JobContext): number {
  const { when, roles } = context.plan.roster!;
  return context.plan.roles
    .filter(({ name }) => roles.includes(name))
    .reduce((sum, role) => {
      const { unplaced, placed, ready, leaving, failed, succeeded } = digestOf(context, role);
      const alive = unplaced + placed + ready + leaving + countMissing(context, role);
      return sum + alive + (when === 'addressed' ? failed + succeeded : 0);
    }, 0);
}
