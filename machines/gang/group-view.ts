import type { JobContext } from '../model/job-context.ts';
import { sumOver } from '../model/role-counts.ts';

/** While the scheduler reports nothing and no member has a node, all of them wait for the gang. */
export function waitsForGang(context: JobContext): boolean {
  const scheduled = context.digest?.gang?.scheduled;
  const hasPlaced = sumOver(context, ({ scheduled, ready, succeeded }) => scheduled + ready + succeeded) > 0;
  return scheduled === 'False' || (scheduled === 'Unknown' && !hasPlaced);
}

/** Returns why the scheduler's view of the group is unknown; undefined if it can be read. */
export function unreadGroups({ digest, gang }: JobContext): string | undefined {
  if (!digest || gang === 'none' || digest.resourceVersions.groups[gang] !== undefined) return undefined;
  return `the watcher cannot read the groups of ${gang}: its API is not served, or listing them fails`;
}
