import { positionOf } from '../../machines/chart/position.ts';
import { actOf, type Effect } from '../../machines/model/effects.ts';
import type { Step } from '../../machines/step.ts';

/** What a machine decided at a moment. */
export interface ReplayedDecision {
  /** In a few words, the same for all jobs, e.g. `restarts the gang`. */
  readonly does: string;
  readonly state: string;
  readonly attempt: number;
  /** One sentence, as the job's history has it. */
  readonly message: string;
  readonly reason?: string;
  readonly rule?: string;
  /** When its next timer fires, RFC 3339, if it waits. */
  readonly until?: string;
  readonly effects: readonly Effect[];
}

export function decisionOf({ job, effects }: Step): ReplayedDecision {
  const { state, context } = positionOf(job.snapshot);
  const { cause } = context.outcome ?? {};
  const next = Math.min(...Object.values(job.deadlines));
  return {
    does: wordsFor(effects, state),
    state,
    attempt: context.attempt,
    message: job.record.timeline.at(-1)?.cause ?? state,
    ...(cause ? { reason: cause.reason, ...(cause.rule ? { rule: cause.rule } : {}) } : {}),
    ...(effects.length === 0 && Number.isFinite(next) ? { until: new Date(next).toISOString() } : {}),
    effects,
  };
}

function wordsFor(effects: readonly Effect[], state: string): string {
  const [first] = effects.flatMap((effect) => (effect.type === 'tryAgain' ? [] : (actOf(effect) ?? [])));
  return first ?? WAITING[state] ?? (effects.length > 0 ? 'goes on' : 'goes on as before');
}

const WAITING: Readonly<Record<string, string>> = {
  'Restarting.Holding': 'holds its failed pods',
  'Finishing.Holding': 'holds its failed pods',
  'Restarting.BackingOff': 'waits before it restarts',
  'Restarting.Drained': 'waits before it restarts',
};

/** Effects are plain JSON, made by the same code. */
export const isSameDecision = (one: Step, other: Step): boolean =>
  JSON.stringify(one.effects, decisive) === JSON.stringify(other.effects, decisive);

/** How long pods may take to end decides nothing, and what earlier versions recorded does not say it. */
const decisive = (key: string, value: unknown): unknown => (key === 'survivors' ? undefined : value);
