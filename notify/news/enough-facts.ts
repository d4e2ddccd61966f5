import type { When } from '../routes/when.ts';
import type { JobFact } from './job-fact.ts';
import { stretchesOf } from './stretches.ts';
import { withFacts } from './timed-states.ts';

interface Asked {
  readonly whens: readonly When[];
  readonly from: number;
  /** Whether owners are told. */
  readonly asksOwner?: boolean;
}

/**
 * Whether what was read of a history, the oldest first, goes back far enough: the state at `from` is known, and where each
 * stretch has begun that lasted then. An event says only what it changes.
 */
export function isReadBack(facts: readonly JobFact[], { whens, from, asksOwner = false }: Asked): boolean {
  if (facts[0]?.isFirst) return true;
  const begin = completeFrom(facts, whens, asksOwner);
  if (begin === undefined || Date.parse(facts[begin]!.at) >= from) return false;
  const { at } = facts[begin]!;
  const states = withFacts([], facts).filter((state) => state.at >= at);
  return whens.every((when) => stretchesOf(states, when)[0]?.first !== states[0]);
}

/** From where on all is known that routes ask for. */
function completeFrom(
  facts: readonly JobFact[],
  whens: readonly When[],
  asksOwner: boolean,
): number | undefined {
  const isAsked = (field: 'silent' | 'budgetUsed') => whens.some((when) => when[field] !== undefined);
  const fields = [
    ...(['phase', 'reason'] as const),
    ...(isAsked('silent') ? (['noSteps'] as const) : []),
    ...(isAsked('budgetUsed') ? (['budget'] as const) : []),
    ...(asksOwner ? (['owner'] as const) : []),
  ];
  const needed = fields.map((field) => facts.findIndex((fact) => fact[field] !== undefined));
  return needed.includes(-1) ? undefined : Math.max(...needed);
}

/** Adds the attempt of the first state, which only an earlier event says. `last`: the present one. */
export function withAttempt(facts: readonly JobFact[], last: number): readonly JobFact[] {
  const [first, ...others] = facts;
  if (!first || first.attempt !== undefined) return facts;
  const next = others.find(({ attempt }) => attempt !== undefined)?.attempt;
  return [{ ...first, attempt: next === undefined ? last : next - 1 }, ...others];
}
