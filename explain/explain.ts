import { isWaitCode, type WaitCode } from '../contracts/reasons.ts';
import { remedyOfRefusal } from '../contracts/refusal-remedies.ts';
import type { WaitReason } from '../contracts/types.ts';
import type { Fits, WaitAnswer } from './answer.ts';
import { notesOf } from './notes.ts';
import { byPreemption, type Placement, placementOf, shownPlacements } from './placement.ts';
import { UNKNOWN_PREEMPTION } from './preemption.ts';
import { rankOf } from './rank.ts';
import { podsText, type Rule, waitReason } from './rule.ts';
import { lanes } from './rules/lanes.ts';
import { missingReferences, namedNodes, refusals, volumes } from './rules/named-objects.ts';
import { neverFits } from './rules/never-fits.ts';
import { roomOnNodes } from './rules/nodes.ts';
import { autoscalers, leavingPods } from './rules/other-controllers.ts';
import { quotas } from './rules/quotas.ts';
import { gates, groups, queues, schedulers } from './rules/schedulers.ts';
import { suspension, turns } from './rules/turns.ts';
import type { ClusterView, Demand, Situation } from './situation.ts';

const RULES: readonly Rule[] = [
  ...[
    suspension,
    neverFits,
    refusals,
    missingReferences,
    namedNodes,
    queues,
    lanes,
    groups,
    schedulers,
    gates,
  ],
  ...[quotas, roomOnNodes, turns, leavingPods, volumes, autoscalers],
];

/** Explains why a job waits, or would wait if it was submitted. The same situation always gives the same answer. */
export function explainSituation(situation: Situation): WaitAnswer {
  const placement = placementOf(situation);
  return {
    placements: placement ? shownPlacements(placement, situation.cluster.isUsageKnown) : [],
    ...reasonsFor(situation, placement),
    ...withNotes(notesOf(situation)),
    unknown: [...situation.unread, ...(placement ? unknownPreemption(placement) : [])],
  };
}

/** Returns only why it waits, and whether its pods fit now. */
export function reasonsFor(
  situation: Situation,
  placement = placementOf(situation),
): Pick<WaitAnswer, 'reasons' | 'fits'> {
  const found = RULES.flatMap((rule) => rule(situation, placement));
  const reasons = withOwnCauses(found, situation).toSorted((a, b) => rankOf(a) - rankOf(b));
  return {
    reasons: [...reasons, ...unexplained(reasons, situation)],
    ...(placement && situation.cluster.isUsageKnown ? { fits: fitsNow(placement) } : {}),
  };
}

const withNotes = (notes: readonly string[]): Pick<WaitAnswer, 'notes'> =>
  notes.length > 0 ? { notes } : {};

/** What the engine says of the job: it adds its words to what is computed, and reasons that are not. */
function withOwnCauses(found: readonly WaitReason[], { own, cluster, demand }: Situation): WaitReason[] {
  const causes = (own?.causes ?? []).flatMap((cause) =>
    isWaitCode(cause.reason) && !isSaidBetter(cause.reason, own!.state, cluster)
      ? [{ ...cause, code: cause.reason }]
      : [],
  );
  const known = found.map((one) => {
    const cause = causes.find(({ code }) => code === one.code);
    if (!cause || one.said !== undefined) return one;
    // The engine may say it in the same words.
    if (one.sentence.includes(cause.message.replace(/; retrying( until .*)?$/, ''))) return one;
    return { ...one, said: cause.message.replace(`${one.sentence}; `, '') };
  });
  const more = causes
    .filter(({ code }) => !found.some((one) => one.code === code))
    .flatMap(({ code, message }) => {
      const since = own?.since;
      if (!isOfPods(message) || cluster.refused.length + Number(cluster.isAdmitted ?? 0) === 0)
        return [waitReason(code, message, { since, ...remedyIn(message, demand) })];
      // A dry run has asked again: what it says is found already.
      return cluster.isAdmitted ? [acceptedNow(code, message, since)] : [];
    });
  return [...known, ...more];
}

/** Whether the API server refused pods, or all that is in their namespace. */
const isOfPods = (message: string): boolean =>
  /\bpods "|namespaces? "[^"]+" not found|because it is being terminated|ResourceQuota \S+ allows/.test(
    message,
  );

function remedyIn(message: string, { namespace }: Demand): Pick<WaitReason, 'remedy'> {
  const remedy = remedyOfRefusal(message, namespace);
  return remedy ? { remedy } : {};
}

const acceptedNow = (code: WaitCode, said: string, since: string | undefined): WaitReason =>
  waitReason(code, 'the API server would take now what it refused; the job tries again within a minute', {
    ...{ since, said, who: 'nobody' },
    remedy: 'Wait, or let it try at once: `signalbox retry-now NAME`.',
  });

/** A queue that suspends the job resumes it, too; and what the job was told of lanes and room may be a minute old. */
function isSaidBetter(code: WaitCode, state: string, { queue, lane, nodes }: ClusterView): boolean {
  if (code === 'Suspended') return queue?.suspends === true;
  if (code === 'NeverFits' && TOLD_OF_ROOM.has(state))
    return nodes !== undefined || lane !== undefined || queue !== undefined;
  return (code === 'WaitingInLane' || code === 'LaneFaulty') && lane !== undefined;
}

/** In others it is a quota that refuses its pods, and is asked again and again. */
const TOLD_OF_ROOM: ReadonlySet<string> = new Set(['Pending.Queued', 'Pending.Scheduling']);

/** Pods wait although nothing is found that keeps them. */
function unexplained(reasons: readonly WaitReason[], { demand: { waiting }, own }: Situation): WaitReason[] {
  if (!own || reasons.length > 0 || waiting.length === 0) return [];
  const said = waiting.find(({ scheduler }) => scheduler)?.scheduler;
  const what = `${podsText(waiting.length)} ${waiting.length === 1 ? 'has' : 'have'} no node, and ${
    said?.reason === 'SchedulerError'
      ? 'the scheduler met an error; it tries again by itself'
      : 'nothing is found that keeps them from one'
  }`;
  return [waitReason('Unknown', what, { said: said?.message, since: said?.since })];
}

/** Terms that are not computed make a yes uncertain, never a no. */
function fitsNow({ now, shapes }: Placement): Fits {
  const isUncertain = shapes.some(({ shape, pods }) => pods > 0 && shape.notComputed.length > 0);
  return now.fits === 'yes' && isUncertain ? 'unknown' : now.fits;
}

const unknownPreemption = (placement: Placement): string[] =>
  byPreemption(placement) === 'unknown' ? [UNKNOWN_PREEMPTION] : [];
