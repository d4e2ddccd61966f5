import type { NotifiedChange } from '../../contracts/notifications.ts';
import { matchesPattern } from './matches-job.ts';
import type { Receiver } from './receiver-schemas.ts';

/** Owners of jobs are who their policies name. Only the file of routes says whether they are written to. */

export const tellsOwners = (receiver: Receiver | undefined): boolean =>
  receiver?.type === 'email' && receiver.owners !== undefined;

/** Returns the address of the job's owner, if the receiver may write to it. */
export function ownerFor(receiver: Receiver | undefined, { job }: NotifiedChange): string | undefined {
  const owner = job?.owner;
  if (owner === undefined || receiver?.type !== 'email') return undefined;
  const isAllowed = receiver.owners?.some((one) => matchesPattern(one.toLowerCase(), owner.toLowerCase()));
  return isAllowed ? owner : undefined;
}

/** Returns a notice as its receiver tells it: with the owner only where he is told, too; undefined if nobody would be told. */
export function addressed(
  notice: NotifiedChange,
  receiver: Receiver | undefined,
): NotifiedChange | undefined {
  const owner = ownerFor(receiver, notice);
  if (owner === undefined && receiver?.type === 'email' && receiver.to === undefined) return undefined;
  if (!notice.job) return notice;
  const { owner: _, ...job } = notice.job;
  return { ...notice, job: owner === undefined ? job : { ...job, owner } };
}
