import { countRestarts, STALL } from '../../machines/model/job-context.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { begin, type JobState, restore, type SavedJob, type Step, step } from '../../machines/step.ts';
import { decisionOf, isSameDecision, type ReplayedDecision } from './decision.ts';
import type { PolicySwitch } from './policy-switch.ts';
import type { ReplayedStep } from './step-collector.ts';
import { OTHER_PROGRESS, otherPods, otherSignal, readsOtherProgress } from './unknowable.ts';

/** What another policy would have decided in a recorded job. */
export interface WhatIf {
  /**
   * Where the comparison begins, if the first runs of the workflow are not recorded. What was decided and spent before was
   * by the job's own policy.
   */
  readonly from?: { readonly at: string; readonly attempt: number; readonly restarts: number };
  /** Events of the recording that the job with this policy would have had as well, and decided alike. */
  readonly followed: number;
  /** Where it would have decided otherwise first. After it, the world is not known: pods, failures and times are others. */
  readonly first?: DecisionDifference;
  /** It would have ended in the same way, with the same effects, for another reason. */
  readonly otherReason?: DecisionDifference;
  /** Why the recording does not determine what follows. */
  readonly unknown?: { readonly at: string; readonly why: string };
  /**
   * What it would have decided at later moments of the recording, each for itself: only if the job had come there in the
   * same way.
   */
  readonly later: readonly DecisionDifference[];
}

export interface DecisionDifference {
  readonly at: string;
  /** The event, e.g. `digest` or `deadline backOff`. */
  readonly event: string;
  readonly was: ReplayedDecision;
  readonly would: ReplayedDecision;
}

/** Pure: goes through the steps of a recorded job with its own policy and with another one, side by side. */
export function whatIf(steps: readonly ReplayedStep[], change: PolicySwitch): WhatIf {
  const walk = new Walk(change);
  for (const recorded of steps) walk.take(recorded);
  return walk.result();
}

const timeText = (ms: number) => new Date(ms).toISOString();

class Walk {
  readonly #change: PolicySwitch;
  #from: WhatIf['from'];
  readonly #later: DecisionDifference[] = [];
  /** Timers of a moment that were looked at already, so that each counts once. */
  readonly #fired = new Set<string>();
  #recorded: JobState | undefined;
  /** Undefined once the world is not known any more. */
  #other: JobState | undefined;
  #followed = 0;
  #end: Pick<WhatIf, 'first' | 'unknown'> | undefined;
  #otherReason: DecisionDifference | undefined;

  constructor(change: PolicySwitch) {
    this.#change = change;
  }

  result(): WhatIf {
    const otherReason = this.#otherReason;
    return {
      ...(this.#from ? { from: this.#from } : {}),
      followed: this.#followed,
      ...this.#end,
      ...(otherReason ? { otherReason } : {}),
      later: this.#later,
    };
  }

  take(recorded: ReplayedStep): void {
    if (recorded.type === 'begin') this.#begin(recorded.input);
    else if (recorded.type === 'resume') this.#resume(recorded.saved as unknown as SavedJob);
    else if (this.#recorded) this.#receive(this.#recorded, recorded.event);
  }

  #receive(before: JobState, event: JobEvent): void {
    const was = step(before, event);
    this.#recorded = was.job;
    if (this.#other) this.#follow(this.#other, { before, was, event });
    else this.#compareLater({ before, was, event });
  }

  #begin(input: Parameters<typeof begin>[0]): void {
    const was = begin(input);
    const would = begin({ ...input, plan: this.#change.plan(input.plan) });
    this.#recorded = was.job;
    this.#other = would.job;
    this.#followed = 1;
    if (!isSameDecision(was, would)) this.#differs({ at: input.at, event: 'submitted', was, would });
    const why = otherPods(this.#change, contextOf(was.job));
    if (why) this.#isUnknown(input.at, why);
  }

  /** A continue-as-new changes nothing. If the runs before are not known, the comparison begins here. */
  #resume(saved: SavedJob): void {
    const isFirst = this.#recorded === undefined;
    this.#recorded = restore(saved);
    if (!isFirst) return;
    const { context } = saved;
    const { at } = context;
    this.#from = { at: timeText(at), attempt: context.attempt, restarts: countRestarts(context.restarts) };
    this.#other = restore(this.#change.saved(saved));
    const why = otherPods(this.#change, context) ?? this.#change.unsearched(context);
    if (why) this.#isUnknown(at, why);
  }

  #follow(other: JobState, { before, was, event }: Received): void {
    const job = this.#ownTimers(other, before, event);
    if (!job) return;
    const changed = this.#change.event(event, before.snapshot.context);
    if ('unknown' in changed) {
      this.#isUnknown(event.at, changed.unknown);
      return;
    }
    const would = step(job, changed.event);
    if (isSameDecision(was, would)) {
      this.#other = would.job;
      this.#followed += 1;
      if (endsWith(was) !== endsWith(would)) {
        this.#otherReason ??= differenceOf({ at: event.at, event: nameOfEvent(event), was, would });
      }
      const why = otherSignal(this.#change, contextOf(before), would.effects);
      if (why) this.#isUnknown(event.at, why);
    } else this.#differs({ at: event.at, event: nameOfEvent(event), was, would });
  }

  /**
   * Lets timers fire that are due before the event. A timer that both have at the same time is in the recording, with
   * the digest that the watcher was asked for first. Returns undefined if one of them decides something.
   */
  #ownTimers(job: JobState, recorded: JobState, { at }: JobEvent): JobState | undefined {
    let current = job;
    for (const [name, time] of dueTimers(current, recorded, at)) {
      if (name === STALL && readsOtherProgress(this.#change, contextOf(recorded))) {
        this.#isUnknown(time, OTHER_PROGRESS);
        return undefined;
      }
      const would = step(current, { type: 'deadline', name, at: time });
      if (would.effects.length > 0) {
        this.#differs({ at: time, event: `deadline ${name}`, was: { job: recorded, effects: [] }, would });
        return undefined;
      }
      current = would.job;
    }
    return current;
  }

  /** Gives the job of the recording the other policy for this one decision. */
  #compareLater({ before, was, event }: Received): void {
    if (this.#change.unsearched(contextOf(before))) return;
    const other = this.#change.state(before);
    for (const [name, time] of dueTimers(other, before, event.at)) {
      if (name === STALL && readsOtherProgress(this.#change, contextOf(before))) continue;
      if (this.#fired.has(`${name} ${time}`)) continue;
      this.#fired.add(`${name} ${time}`);
      const would = step(other, { type: 'deadline', name, at: time });
      if (would.effects.length === 0) continue;
      const at = Math.max(time, other.snapshot.context.at);
      this.#later.push(
        differenceOf({ at, event: `deadline ${name}`, was: { job: before, effects: [] }, would }),
      );
      return;
    }
    const changed = this.#change.event(event, before.snapshot.context);
    if ('unknown' in changed) return;
    const would = step(other, changed.event);
    // The first difference is already reported.
    if (!isSameDecision(was, would)) {
      this.#later.push(differenceOf({ at: event.at, event: nameOfEvent(event), was, would }));
    }
  }

  #differs(difference: Differing): void {
    this.#end ??= { first: differenceOf(difference) };
    this.#other = undefined;
  }

  #isUnknown(at: number, why: string): void {
    this.#end ??= { unknown: { at: timeText(at), why } };
    this.#other = undefined;
  }
}

/** Returns why a job ends with this step; undefined if it does not. */
function endsWith({ job, effects }: Step): string | undefined {
  if (!effects.some(({ type }) => type === 'cleanUp')) return undefined;
  const { reason, rule } = job.snapshot.context.outcome?.cause ?? {};
  return `${reason} ${rule}`;
}

const contextOf = ({ snapshot }: JobState) => snapshot.context;

interface Received {
  readonly before: JobState;
  readonly was: Step;
  readonly event: JobEvent;
}

interface Differing {
  readonly at: number;
  readonly event: string;
  readonly was: Step;
  readonly would: Step;
}

const differenceOf = ({ at, event, was, would }: Differing): DecisionDifference => ({
  at: timeText(at),
  event,
  was: decisionOf(was),
  would: decisionOf(would),
});

const nameOfEvent = (event: JobEvent): string => {
  if (event.type === 'deadline') return `deadline ${event.name}`;
  return 'effect' in event ? `${event.type} ${event.effect}` : event.type;
};

/** Timers that are due by then and that the recording does not have at the same time, the earliest first. */
const dueTimers = (job: JobState, recorded: JobState, by: number): readonly (readonly [string, number])[] =>
  Object.entries(job.deadlines)
    .filter(([name, time]) => time < by && recorded.deadlines[name] !== time)
    .sort(([, one], [, other]) => one - other);
