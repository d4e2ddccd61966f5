import type { JobContext } from '../model/job-context.ts';
import { countMissing, digestOf } from '../model/role-counts.ts';

/** The hash of the job's list of pods, if the list is complete and another one than was published last. */
export function hostListToPublish(context: JobContext): string | undefined {
  const { plan, digest, minRevision } = context;
  if (!plan.hostList || !digest?.hostList || digest.revision.pods < minRevision) return undefined;
  const { pods, hash } = digest.hostList;
  return hash !== context.publishedHostList && pods >= expectedPods(context) ? hash : undefined;
}

/** Pods that a complete list has: all of them, or those that can still be ready; more while some are missing. */
function expectedPods(context: JobContext): number {
  const { when, roles } = context.plan.hostList!;
  return context.plan.roles
    .filter(({ name }) => roles.includes(name))
    .reduce((sum, role) => {
      const { unscheduled, scheduled, ready, terminating, failed, succeeded } = digestOf(context, role);
      const alive = unscheduled + scheduled + ready + terminating + countMissing(context, role);
      return sum + alive + (when === 'addressed' ? failed + succeeded : 0);
    }, 0);
}
