import { assess } from '../../machines/assess/assess.ts';
import { positionOf } from '../../machines/chart/position.ts';
import type { Effect } from '../../machines/model/effects.ts';
import { trackOf } from '../../machines/model/effects.ts';
import { countRestarts, type JobContext } from '../../machines/model/job-context.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { jobPolicy } from '../../machines/model/policy.ts';
import { restartsOfStep } from '../../machines/report/restarts-of-step.ts';
import type { JobState } from '../../machines/step.ts';

type Invariant = (before: JobState, after: JobState, effects: readonly Effect[], event: JobEvent) => boolean;

/** What no step of the machine may do, whatever it hears. */
export const STEP_INVARIANTS: Readonly<Record<string, Invariant>> = {
  'one change at a time': (_, __, effects) =>
    effects.filter(({ type }) => type !== 'tryAgain' && trackOf(type) === 'pods').length <= 1,
  'nothing is wanted after the end': ({ snapshot }, _, effects) =>
    snapshot.status !== 'done' || effects.length === 0,
  'an outcome stays as it is': (before, after) => {
    const [was, is] = [before, after].map(({ snapshot }) => snapshot.context.outcome);
    const textOf = ({ phase, cause }: NonNullable<typeof was>) =>
      JSON.stringify([phase, cause && { ...cause, message: '' }]);
    // What came of a checkpoint is known only later, and told after the rest.
    const says = (outcome: typeof was) => outcome?.cause?.message ?? '';
    return (
      was === undefined || (is !== undefined && textOf(was) === textOf(is) && says(is).startsWith(says(was)))
    );
  },
  'the assessment that is read is that of the context': (_, { snapshot: { context } }) =>
    JSON.stringify(context.assessment) === JSON.stringify(assess(context)),
  'metrics count each restart, with its scope and class': (before, after) => {
    const [was, is] = [before, after].map(({ snapshot }) => snapshot.context);
    const counted = restartsOfStep(was!, is!);
    const hasClass = counted.every((one) => (one.class === 'none') === (one.scope === 'container'));
    const sum = counted.reduce((total, { count }) => total + count, 0);
    return hasClass && countRestarts(was!.restarts) + sum === countRestarts(is!.restarts);
  },
  'attempts come one after the other': (before, after) => {
    const more = after.snapshot.context.attempt - before.snapshot.context.attempt;
    return more === 0 || more === 1;
  },
  'what was too much is not missed': (_, { snapshot: { context } }, effects) => {
    const replaced = effects.flatMap((effect) => (effect.type === 'restorePods' ? effect.replace : []));
    const pods = [...replaced.map(({ pod }) => pod), context.outcome?.cause?.pod];
    return pods.every((pod) => !pod || isWithin(context, pod));
  },
  'a new attempt knows nothing of the one before': (before, { snapshot: { context } }) => {
    const isNew = context.attempt > before.snapshot.context.attempt;
    return !isNew || (context.digest === undefined && Object.keys(context.succeededIndices).length === 0);
  },
  'no time ends a suspended job': (before, { snapshot }, _, event) => {
    const isSuspended = positionOf(before.snapshot).state.startsWith('Suspended.');
    return !isSuspended || event.type !== 'deadline' || snapshot.context.outcome === undefined;
  },
  'the last word on a suspension counts': (_, { snapshot: { context } }, __, { type }) => {
    const isAsked = (type === 'suspend' || type === 'resume') && context.outcome === undefined;
    return !isAsked || (context.suspension !== undefined) === (type === 'suspend');
  },
  'no job that makes steps, or of which that is not known, is restarted for a hang': (before, after) => {
    const [was, is] = [before, after].map(({ snapshot }) => snapshot.context);
    if (is!.trouble?.reason !== 'Stalled' || was!.trouble || jobPolicy(was!).progress?.annotation)
      return true;
    return was!.digest?.noSteps !== undefined && was!.digest.progressFault === undefined;
  },
  'restarts are never taken back': (before, after) => {
    const [had, has] = [before, after].map(({ snapshot }) => snapshot.context.restarts);
    return Math.min(...Object.values(has!)) >= 0 && countRestarts(has!) >= countRestarts(had!);
  },
  'no budget is overspent': (before, { snapshot: { context } }) => {
    const { classes } = jobPolicy(context).failures;
    return Object.entries(context.charges ?? {}).every(([name, charged]) => {
      const isNew = charged > (before.snapshot.context.charges?.[name] ?? 0);
      return charged >= 0 && (!isNew || charged <= (classes[name]?.budget ?? Number.POSITIVE_INFINITY));
    });
  },
  'exempt are only restarts that were made': (_, { snapshot: { context } }) =>
    (context.exempt ?? 0) >= 0 && (context.exempt ?? 0) <= countRestarts(context.restarts),
  'backoffLimit is not exceeded': (before, { snapshot: { context } }) => {
    const { backoffLimit = Number.POSITIVE_INFINITY } = context.plan.runPolicy;
    const isNew = context.restarts.replaced > before.snapshot.context.restarts.replaced;
    return !isNew || countRestarts(context.restarts) - (context.exempt ?? 0) <= backoffLimit;
  },
  'what is known only gets newer': (before, after) => {
    const [had, has] = [before, after].map(({ snapshot: { context } }) => context);
    const [known, received] = [had!.digest?.resourceVersions, has!.digest?.resourceVersions];
    const isSame = had!.attempt === has!.attempt && known && received && !has!.digest!.anchorDeleted;
    return !isSame || (received.pods >= known.pods && received.groups >= known.groups);
  },
  'words about another job, or another attempt, change nothing': (before, after, effects, event) => {
    if (event.type !== 'digest') return true;
    const { anchorUid, attempt, digest, succeededIndices, restarts } = before.snapshot.context;
    const isOfOthers = event.digest.anchor !== anchorUid || ![0, attempt].includes(event.digest.attempt);
    const { context } = after.snapshot;
    const isUntouched =
      context.digest === digest &&
      context.succeededIndices === succeededIndices &&
      context.restarts === restarts;
    return !isOfOthers || (isUntouched && effects.length === 0);
  },
};

/** Names of pods end with their role and index. */
function isWithin({ plan, amended }: JobContext, pod: string): boolean {
  const [, role, index] = /-([a-z]+)-(\d+)$/.exec(pod) ?? [];
  const sizes = [...plan.roles, ...(amended?.plan.roles ?? [])]
    .filter(({ name }) => name.toLowerCase() === role)
    .map(({ replicas }) => replicas);
  return sizes.length === 0 || Number(index) < Math.max(...sizes);
}
