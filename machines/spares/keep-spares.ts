import type { Effect } from '../model/effects.ts';
import type { JobContext } from '../model/job-context.ts';
import type { JobEvent } from '../model/job-events.ts';
import { jobPolicy } from '../model/policy.ts';
import { nodesToAvoid } from '../nodes/node-avoidance.ts';

/** A running job has as many spares as its policy says. They are no part of the gang: nothing waits for them. */

/** Between two tries, so that spares that others delete are not made as fast as that. */
const PAUSE_MS = 10_000;
/** After a refusal: a full quota is not free soon. */
const REFUSED_MS = 300_000;

export const wantedSpares = (context: Pick<JobContext, 'plan' | 'amended'>): number =>
  jobPolicy(context).spares?.count ?? 0;

/** Whether spares are to be made or deleted now. */
export const lacksSpares = (context: JobContext): boolean =>
  isLacking(context) && (context.spares?.nextAt ?? 0) <= context.at;

/** Returns when they are; undefined if nothing is to be done, or at once. */
export function sparesDueAt(context: JobContext): number | undefined {
  const { nextAt } = context.spares ?? {};
  return nextAt !== undefined && isLacking(context) ? nextAt : undefined;
}

function isLacking(context: JobContext): boolean {
  const { spares = {}, digest, revision } = context;
  const count = wantedSpares(context);
  const known = digest?.spares ?? [];
  if (!digest || (count === 0 && known.length === 0)) return false;
  if (spares.isBusy || digest.resourceVersions.pods < (spares.resourceVersion ?? 0)) return false;
  if (count > 0 && spares.revision !== revision.number) return true;
  const countOf = (...states: readonly string[]) =>
    known.filter(({ state }) => states.includes(state)).length;
  const alive = countOf('waiting', 'ready');
  // What is being deleted keeps its name until it is gone.
  return countOf('ended') > 0 || alive > count || alive + countOf('leaving') < count;
}

export const keepSparesEffect = (context: JobContext): Effect => ({
  type: 'keepSpares',
  attempt: context.attempt,
  count: wantedSpares(context),
  avoid: nodesToAvoid(context),
});

export const withSparesAsked = ({ spares, revision }: JobContext): Pick<JobContext, 'spares'> => ({
  spares: { ...spares, isBusy: true, revision: revision.number, nextAt: undefined },
});

/** They may be refused: that is no failure of the job. */
export function withSparesKept(
  { spares }: JobContext,
  event: Extract<JobEvent, { readonly type: 'effectDone' | 'effectFailed' }>,
): Pick<JobContext, 'spares'> {
  const refusal = event.type === 'effectFailed' ? event.cause.message : event.refused;
  const resourceVersion = event.type === 'effectDone' ? event.resourceVersion : spares?.resourceVersion;
  const nextAt = event.at + (refusal === undefined ? PAUSE_MS : REFUSED_MS);
  return { spares: { revision: spares?.revision, resourceVersion, nextAt, refusal } };
}

/** Nobody waits any more for what is being done with them. */
export const withoutSparesAsked = ({ spares }: JobContext): Partial<JobContext> =>
  spares?.isBusy ? { spares: { ...spares, isBusy: undefined, revision: undefined } } : {};
