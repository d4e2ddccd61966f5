import { MOST_WAITING, type Waiting } from '../../contracts/digest.ts';
import type { GangProvider } from '../../contracts/training-job.ts';
import { isPassingWait } from '../../contracts/waits.ts';
import { GANG_ADAPTERS } from '../../gang/registry.ts';
import { compareText } from '../../language/compare-text.ts';
import type { PodFacts } from '../pods/pod-facts.ts';

interface WaitingPod {
  readonly name: string;
  readonly reason: string;
  readonly message?: string;
  readonly hasNode: boolean;
  /** It waits only for other pods, which explain more. */
  readonly isForOthers: boolean;
}

/**
 * Returns why pods wait, by reason, the most important first: what others wait for, then what does not pass by itself, then
 * what most pods have. Ties go by name, so that the digest is stable.
 */
export function waitingOf(pods: readonly PodFacts[], provider: GangProvider = 'none'): Waiting[] {
  const { waitsForOthers } = GANG_ADAPTERS[provider];
  const all = pods.flatMap(({ name, state, waiting }): WaitingPod[] => {
    if (!waiting) return [];
    const isForOthers = waitsForOthers?.(waiting) ?? false;
    return [{ name, ...waiting, hasNode: state !== 'unscheduled', isForOthers }];
  });
  const byReason = [...Map.groupBy(all, ({ reason }) => reason).values()];
  const ranked = byReason.toSorted(
    (a, b) =>
      Number(isForOthers(a)) - Number(isForOthers(b)) ||
      Number(isPassing(a)) - Number(isPassing(b)) ||
      explaining(b).length - explaining(a).length ||
      compareText(a[0]!.reason, b[0]!.reason),
  );
  return ranked.slice(0, MOST_WAITING).map(waitOf);
}

/** Describes the first pod by name that does not only wait for others, if there is one. */
function waitOf(pods: readonly WaitingPod[]): Waiting {
  const { reason, message, hasNode, name } = explaining(pods).reduce((first, other) =>
    other.name < first.name ? other : first,
  );
  return { reason, message, hasNode, pod: name, pods: pods.length };
}

const isForOthers = (pods: readonly WaitingPod[]) => pods.every((pod) => pod.isForOthers);

const explaining = (pods: readonly WaitingPod[]) =>
  isForOthers(pods) ? pods : pods.filter((pod) => !pod.isForOthers);

const isPassing = ([pod]: readonly WaitingPod[]) => isPassingWait(pod!.reason);
