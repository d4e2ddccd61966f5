import type { AnchorFacts } from '../anchors/anchor-facts.ts';
import type { PodFacts } from '../pods/pod-facts.ts';
import type { PodState } from '../pods/pod-state.ts';
import type { Urgency } from './delivery.ts';

/** What of a job's pods makes a change urgent. */
export interface Outline {
  readonly failed: number;
  /** How often programs have ended that are restarted in place: at each end the policy may end the job. */
  readonly crashes: number;
  /** Pods are being deleted, or are gone. */
  readonly isLosingPods: boolean;
  /** Its deciding pod has succeeded, or all its pods have. */
  readonly hasSucceeded: boolean;
  /** Its clean-up has begun. */
  readonly isEnding: boolean;
  /** How many of the job's milestones its active pods have reached. */
  readonly reached: number;
  /** Pods that are neither ended nor being deleted. */
  readonly alive: number;
  /** Pods that exist. */
  readonly pods: number;
  /** They are all there, and each that is alive waits for what does not pass by itself: no wave of changes goes on. */
  readonly isStuck: boolean;
}

export const EMPTY: Outline = {
  failed: 0,
  crashes: 0,
  isLosingPods: false,
  hasSucceeded: false,
  isEnding: false,
  reached: 0,
  alive: 0,
  pods: 0,
  isStuck: false,
};

interface Counted {
  readonly anchor?: Pick<AnchorFacts, 'milestones' | 'decidingPod' | 'isEnding'>;
  readonly states: Readonly<Record<PodState, number>>;
  readonly crashes: number;
  readonly stuck: number;
  readonly pods: ReadonlyMap<string, Pick<PodFacts, 'name' | 'state'>>;
  readonly vanished: { readonly size: number };
}

export function outlineOf({ anchor, states, crashes, stuck, pods, vanished }: Counted): Outline {
  const { unscheduled, scheduled, ready, succeeded, failed, terminating } = states;
  const milestones = anchor?.milestones ?? [pods.size];
  const alive = unscheduled + scheduled + ready;
  return {
    failed,
    crashes,
    isLosingPods: terminating + vanished.size > 0,
    hasSucceeded: succeeded > 0 && (succeeded === pods.size || hasDecided(pods, anchor?.decidingPod)),
    isEnding: anchor?.isEnding === true,
    reached: pods.size > 0 ? milestones.filter((count) => ready + succeeded >= count).length : 0,
    alive,
    pods: pods.size,
    isStuck: stuck > 0 && stuck === alive && pods.size >= (milestones.at(-1) ?? 0),
  };
}

const hasDecided = (pods: Counted['pods'], decidingPod: string | undefined) =>
  Boolean(decidingPod) &&
  [...pods.values()].some(({ name, state }) => name === decidingPod && state === 'succeeded');

export function urgencyOf(before: Outline, after: Outline): Urgency {
  if (after.isEnding) return after.alive === 0 && after.pods < before.pods ? 'later' : 'lazy';
  if (before.hasSucceeded && after.hasSucceeded) return 'lazy';
  const isDecisive =
    after.failed > before.failed ||
    after.crashes > before.crashes ||
    after.isLosingPods !== before.isLosingPods ||
    after.hasSucceeded !== before.hasSucceeded ||
    after.reached !== before.reached;
  if (isDecisive) return 'now';
  const { reached, alive, failed, isLosingPods } = after;
  const isInTrouble = alive > 0 && (failed > 0 || isLosingPods);
  return reached > 0 || isInTrouble || (after.isStuck && !before.isStuck) ? 'soon' : 'later';
}

/** Whether a workflow probably waits for this digest of a watcher that has just taken over. */
export const isAwaited = (
  { failed, isLosingPods, hasSucceeded, isEnding, reached }: Outline,
  phase: string,
): boolean =>
  !isEnding && (failed > 0 || isLosingPods || hasSucceeded || (reached > 0 && phase !== 'Running'));
