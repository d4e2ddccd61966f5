import { type GangProvider, gangTraits } from '../../contracts/training-job.ts';
import type { JobContext } from '../model/job-context.ts';
import { sumOver } from '../model/role-counts.ts';

/** While the scheduler reports nothing and no member has a node, all of them wait for the gang. */
export function waitsForGang(context: JobContext): boolean {
  const scheduled = context.digest?.gang?.scheduled;
  const hasPlaced = sumOver(context, ({ scheduled, ready, succeeded }) => scheduled + ready + succeeded) > 0;
  return scheduled === 'False' || (scheduled === 'Unknown' && !hasPlaced);
}

/** No waiting helps, as those found who decide when the gang may start. */
export const canNeverFit = ({ digest }: JobContext): boolean => digest?.gang?.reason === 'NeverFits';

/** Returns why the scheduler's view of the group is unknown; undefined if it can be read. */
export function unreadGroups({ digest, gang }: JobContext): string | undefined {
  const { groups } = gangTraits(gang);
  if (!digest || !groups || digest.resourceVersions.groups[groups] !== undefined) return undefined;
  return `the watcher cannot read the groups of ${groups}: its API is not served, or listing them fails`;
}

/** Returns what the scheduler in use holds of a cluster while a gang waits. */
export const heldMeanwhile = ({ gang }: JobContext): string => HELD[gang];

const HELD: Readonly<Record<GangProvider, string>> = {
  none: 'placed pods hold their nodes',
  native: 'Kubernetes reserves nothing meanwhile',
  volcano: 'Volcano reserves nothing meanwhile',
  coscheduling: 'Coscheduling may hold nodes until its time-out',
  'kube-batch': 'kube-batch reserves nothing meanwhile',
  kueue: 'placed pods hold their nodes',
  gated: 'gated pods hold nothing meanwhile',
  'gated-native': 'gated pods hold nothing meanwhile',
};
