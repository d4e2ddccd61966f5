import type { Noticed } from '../../contracts/digest.ts';
import { VERDICT_WORDS } from '../../contracts/node-notice.ts';
import { timeOf } from '../../language/time.ts';
import type { JobContext } from '../model/job-context.ts';

/** What sources of health say of the nodes of a job. */

/** Says who says what of a node. */
export function describeNotice(notice: Noticed): string {
  const { node, verdict, source, key, reason, since } = notice;
  const said = reason === undefined ? key : `${key} (${reason})`;
  return `node ${node} ${VERDICT_WORDS[verdict]}${whenOf(notice)}: ${said} says ${source}, since ${timeOf(since)}`;
}

function whenOf({ deadline, isAssumed }: Noticed): string {
  if (deadline === undefined || isAssumed) return '';
  return ` at ${timeOf(deadline)}`;
}

export const noticedBy = ({ digest }: Pick<JobContext, 'digest'>): readonly Noticed[] =>
  digest?.noticed ?? [];

/** Returns what a source has begun to say, and what it says no more of a job that simply ran on. */
export function noticeNews(
  before: Pick<JobContext, 'digest'>,
  after: Pick<JobContext, 'digest'>,
  { hasRunOn }: { readonly hasRunOn: boolean },
): readonly string[] {
  if (before.digest?.noticed === after.digest?.noticed) return [];
  const [known, told] = [noticedBy(before), noticedBy(after)];
  const begun = told.filter((notice) => !known.some((one) => isSame(one, notice))).map(describeNotice);
  const over = known.filter((notice) => hasRunOn && !told.some((one) => isSame(one, notice)));
  return [
    ...begun,
    ...over.map(({ node, source, key }) => `${source} no longer says ${key} of node ${node}`),
  ];
}

/** A deadline that moves is news. */
const isSame = (one: Noticed, other: Noticed): boolean =>
  one.node === other.node &&
  one.source === other.source &&
  one.key === other.key &&
  one.verdict === other.verdict &&
  one.deadline === other.deadline;
