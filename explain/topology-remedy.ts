import { podsText } from './rule.ts';
import type { PodShape } from './situation.ts';
import type { TopologyTerm } from './topology-terms.ts';

/** What makes a term one that a scheduler may leave unmet. */
const PREFERENCE: Readonly<Record<TopologyTerm['kind'], string>> = {
  podAffinity: 'preferredDuringSchedulingIgnoredDuringExecution',
  podAntiAffinity: 'preferredDuringSchedulingIgnoredDuringExecution',
  topologySpreadConstraints: 'whenUnsatisfiable: ScheduleAnyway',
};

/** Says what its author can do about terms that let only so many pods run at once. `limitedBy`: begins with their kind. */
export function topologyRemedy(
  { limitedBy, placed }: { readonly limitedBy: string; readonly placed: number },
  shapes: readonly PodShape[],
): string {
  const kind = limitedBy.split(' ')[0] as TopologyTerm['kind'];
  const having = shapes.filter(({ topology }) => topology.some((term) => term.kind === kind));
  const roles = [...new Set(having.flatMap((shape) => shape.roles))].join(' and ');
  const softer = `make ${kind} of the ${roles} template a preference (${PREFERENCE[kind]})`;
  return placed > 0 ? `run at most ${podsText(placed)} at once, or ${softer}` : softer;
}
