import { describe } from '@jest/globals';
import fc from 'fast-check';
import { isFinal } from '../../contracts/status.ts';
import type { Plan } from '../../contracts/training-job.ts';
import type { JobStatus, LedgerEntry, Policy } from '../../contracts/types.ts';
import { timeOf } from '../../language/time.ts';
import { statusOf } from '../../machines/job-status.ts';
import type { Effect } from '../../machines/model/effects.ts';
import { trackOf } from '../../machines/model/effects.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { jobPolicy } from '../../machines/model/policy.ts';
import { enter, NEW_BOOK } from '../../machines/report/ledger-book.ts';
import type { NewEntry } from '../../machines/report/new-entry.ts';
import { withEntry } from '../../machines/report/timeline.ts';
import { begin, type JobState, restore, save, step } from '../../machines/step.ts';
import { jobUsesOf } from '../../record/uses/job-uses.ts';
import { ANCHOR, planned } from './builders.ts';
import { eventOf, type WaitingJob } from './model-events.ts';
import { maybe, oneOf, policies } from './model-plans.ts';
import { itHolds, type Say } from './model-report.ts';
import { STEP_INVARIANTS } from './model-step-invariants.ts';
import { type Move, moves, plans } from './random-walks.ts';

const file = 'test/machines/random-walk.test.ts';

interface Walk {
  readonly plan: Plan;
  readonly otherPolicy: Policy | undefined;
  readonly queued: boolean;
  readonly moves: readonly Move[];
}

const walks: fc.Arbitrary<Walk> = fc.record({
  plan: plans,
  otherPolicy: maybe(policies),
  queued: oneOf(false, false, true),
  moves: fc.array(moves, { minLength: 1, maxLength: 14 }),
});

describe('whatever happens in whatever order', () => {
  itHolds('a job keeps its invariants', {
    file,
    share: 0.4,
    anyOf: walks,
    examine: (walk, say) => expectItStops(runWalk(walk, { look: expectInvariants, say })),
  });

  itHolds(
    'the same events lead to the same effects and the same status, in however many runs of the workflow',
    {
      file,
      share: 0.1,
      anyOf: walks,
      examine: (walk, say) => {
        const run = traceOf(walk, { say });
        if (run !== traceOf(walk, {})) throw new Error('not the same a second time');
        if (run !== traceOf(walk, { between: throughJson })) throw new Error('not the same in several runs');
      },
    },
  );

  itHolds('what pods are used for adds up to the time for which they had their nodes', {
    file,
    share: 0.3,
    anyOf: walks,
    examine: (walk, say) => expectUsesAddUp(ledgerOf(walk, { say })),
  });
});

interface WalkState extends WaitingJob {
  /** What it heard last. */
  readonly event?: JobEvent;
  readonly status: JobStatus;
  readonly effects: readonly Effect[];
  /** What the ledger says of the last step. */
  readonly entry?: NewEntry;
}

interface WalkOptions {
  readonly look?: (before: WalkState, after: WalkState) => void;
  /** Between one event and the next. */
  readonly between?: (job: JobState) => JobState;
  readonly say?: Say;
}

function runWalk({ moves, ...start }: Walk, { look, between, say }: WalkOptions): WalkState {
  let place = beginning(start);
  say?.(`A job with ${JSON.stringify(start)}: ${describeState(place)}`);
  for (const [index, move] of moves.entries()) {
    say?.(`- ${JSON.stringify(move)}`);
    const before = between ? { ...place, job: between(place.job) } : place;
    place = go(before, move, (index + 1) * 1000);
    say?.(`  ${describeState(place)}`);
    look?.(before, place);
  }
  return place;
}

const describeState = ({ status: { state, attempt }, effects }: WalkState) =>
  `${state} of attempt ${attempt}, wants ${JSON.stringify(effects)}`;

function beginning({ otherPolicy, plan, queued }: Omit<Walk, 'moves'>): WalkState {
  const first = begin({
    ...planned(plan),
    gate: queued ? 'group' : undefined,
    anchorUid: ANCHOR,
    gang: 'native',
    at: 0,
    countsStarts: true,
  });
  const { job, effects } = first;
  return { ...first, outstanding: effects[0], otherPolicy, status: statusOf(job) };
}

function go(place: WalkState, move: Move, at: number): WalkState {
  if (move.move === 'continue as new')
    return { ...place, job: throughJson(place.job), event: undefined, effects: [], entry: undefined };
  const event = eventOf(place, move, at);
  if (!event) return { ...place, event, effects: [], entry: undefined };
  const { job, effects, entry } = step(place.job, event);
  const isAnswered = 'effect' in event && event.effect === place.outstanding?.type;
  const outstanding = changesOf(effects)[0] ?? (isAnswered ? undefined : place.outstanding);
  return { ...place, job, event, effects, entry, outstanding, status: statusOf(job) };
}

/** Lists of pods are written beside everything else, and what is tried again stays under way. */
const changesOf = (effects: readonly Effect[]) =>
  effects.filter(({ type }) => type !== 'tryAgain' && trackOf(type) === 'pods');

type Invariant = (before: WalkState, after: WalkState) => boolean;

/** Timers that pods are waited for with. */
const LEAVING: ReadonlySet<string> = new Set(['forceDelete', 'look']);

/** Beside those that each step of the machine keeps. */
const WALK_INVARIANTS: Readonly<Record<string, Invariant>> = {
  'no pod before the group is let in': (_, { job, effects }) => {
    const { gate, digest } = job.snapshot.context;
    const isCreating = effects.some(({ type }) => type === 'createAttempt');
    return !gate || !isCreating || digest?.gang?.admitted === true;
  },
  'a suspended job wants no pods': (_, { status, effects }) =>
    status.phase !== 'Suspended' || changesOf(effects).every(({ type }) => type === 'suspend'),
  'no time runs while nothing is there': (_, { job, status }) => {
    const { suspension, outcome } = job.snapshot.context;
    if (!suspension || outcome) return true;
    const running = Object.keys(job.deadlines);
    return running.every((name) => LEAVING.has(name) && status.state === 'Suspended.Draining');
  },
  'a launcher comes once, and after its workers': (before, { effects }) => {
    const { launched, plan } = before.job.snapshot.context;
    const isWanted = effects.some(({ type }) => type === 'launch');
    return !isWanted || (!launched && plan.roles.some(({ after }) => after?.length));
  },
  'an outcome is told once': ({ status: was }, { status: is }) => {
    const endOf = ({ phase, completionTime }: JobStatus) => `${phase} ${completionTime}`;
    return !isFinal(was.phase) || was.state === 'Finishing.Checkpointing' || endOf(was) === endOf(is);
  },
  'a final phase and an outcome come together': (_, { job, status }) =>
    isFinal(status.phase) === (job.snapshot.context.outcome !== undefined),
  'every condition is there once': (_, { job }) => {
    const types = job.record.conditions.map(({ type }) => type);
    return new Set(types).size === types.length;
  },
  'Running and Restarting exclude each other': (_, { job }) =>
    !(hasCondition(job, 'Running') && hasCondition(job, 'Restarting')),
  'Succeeded and Failed say what the phase says': (_, { job, status: { phase } }) =>
    isTrue(job, 'Succeeded') === (phase === 'Completed') && isTrue(job, 'Failed') === (phase === 'Failed'),
  'nothing runs or restarts after the end': (_, { job, status }) =>
    !isFinal(status.state) || !(isTrue(job, 'Running') || isTrue(job, 'Restarting')),
  'nothing that can be searched for changes without an entry, which says the same': (before, after) => {
    const { entry, status } = after;
    const searched = ({ phase, attempt, cause }: JobStatus) =>
      JSON.stringify([phase, attempt, cause?.reason]);
    if (!entry) return searched(before.status) === searched(status);
    return searched(status) === JSON.stringify([entry.phase, entry.attempt, entry.reason]);
  },
  'the timeline follows from the entries': (before, { entry, status }) =>
    JSON.stringify(status.timeline) ===
    JSON.stringify(entry ? withEntry(before.status.timeline, entry) : before.status.timeline),
  'the state is entered when the first entry says so': (before, { entry, status }) =>
    status.since === before.status.since || (entry?.to === status.state && status.since === timeOf(entry.at)),
  'an outcome is decided by an entry': (before, { entry, job }) => {
    const [was, is] = [before.job, job].map(({ snapshot }) => snapshot.context.outcome?.cause);
    return was === is || JSON.stringify(was) === JSON.stringify(is) || entry?.decided === is;
  },
  'what is told of budgets is not below nothing': (_, { status: { budgets = {}, restarts } }) =>
    restarts >= 0 && Object.values(budgets).every(({ used, allowed }) => used >= 0 && allowed >= 0),
};

function expectInvariants(before: WalkState, after: WalkState): void {
  const { job, effects, event } = after;
  for (const [invariant, holds] of Object.entries(STEP_INVARIANTS)) {
    if (event && !holds(before.job, job, effects, event)) throw new Error(`violated: ${invariant}`);
  }
  for (const [invariant, holds] of Object.entries(WALK_INVARIANTS)) {
    if (!holds(before, after)) throw new Error(`violated: ${invariant}`);
  }
}

const hasCondition = (job: JobState, wanted: string) =>
  job.record.conditions.some(({ type }) => type === wanted);
const isTrue = (job: JobState, wanted: string) =>
  job.record.conditions.some(({ type, status }) => type === wanted && status === 'True');

/** Evidence may have to be taken before, and whoever looks at failed pods be told that it is enough. */
const MOST_STOPS = 4;

/** From anywhere, stops and the answers to what is then wanted lead to an end. */
function expectItStops(place: WalkState): void {
  let end = place;
  for (let at = 1e6; !isFinal(end.status.state) && at < 1e6 + MOST_STOPS; at++) {
    const stopped = go(end, { move: 'ask', what: 'stop', seconds: 0 }, at);
    // Pods that leave, and what was refused, are looked after again.
    const looking = go(stopped, { move: 'deadline', name: 'look' }, at);
    end = go(looking, { move: 'answer', resourceVersion: 0, finds: 0, leaves: false }, at);
  }
  if (!isFinal(end.status.state)) throw new Error(`a stopped job did not end (it is ${end.status.state})`);
}

/** All that a job wanted and recorded, and its status in the end. */
function traceOf(walk: Walk, options: WalkOptions): string {
  const steps: unknown[] = [];
  const look = (_: WalkState, { effects, entry }: WalkState) => steps.push(effects, entry);
  const { status } = runWalk(walk, { ...options, look });
  return JSON.stringify([steps, status]);
}

const throughJson = (job: JobState): JobState => restore(JSON.parse(JSON.stringify(save(job))));

interface WalkedLedger {
  readonly entries: readonly LedgerEntry[];
  /** For how long pods and spares had a node until the last entry, by the digests. */
  readonly placedMs: number;
}

function ledgerOf(walk: Walk, options: WalkOptions): WalkedLedger {
  const began = enter(NEW_BOOK, beginning(walk).entry!);
  const entries: LedgerEntry[] = [began.entry];
  let { book } = began;
  let [placed, placedMs] = [0, 0];
  const look = (before: WalkState, { job, entry }: WalkState) => {
    const { digest, at, plan } = before.job.snapshot.context;
    const pods = plan.roles.map(({ name }) => digest?.roles[name.toLowerCase()]);
    const onNodes = pods.reduce(
      (sum, role) => sum + (role ? role.scheduled + role.ready + role.terminating : 0),
      0,
    );
    const hasSpares = jobPolicy(before.job.snapshot.context).spares !== undefined;
    const spares = hasSpares ? (digest?.spares ?? []).filter(({ state }) => state !== 'ended').length : 0;
    placed += (onNodes + spares) * (job.snapshot.context.at - at);
    if (!entry) return;
    placedMs = placed;
    const entered = enter(book, entry);
    book = entered.book;
    entries.push(entered.entry);
  };
  runWalk(walk, { ...options, look });
  return { entries, placedMs };
}

function expectUsesAddUp({ entries, placedMs }: WalkedLedger): void {
  const until = Date.parse(entries.at(-1)!.at);
  const { uses, wallMs, totalMs } = jobUsesOf(entries, { until });
  const sum = uses.reduce((all, { ms }) => all + ms, 0);
  if (sum !== placedMs)
    throw new Error(`${sum} ms of uses, ${placedMs} ms of pods: ${JSON.stringify(entries)}`);
  const wall = Object.values(wallMs).reduce((all, ms) => all + ms, 0);
  if (wall !== totalMs) throw new Error(`${wall} ms by use, ${totalMs} ms in all`);
  if (uses.some(({ ms, assumedMs }) => !Number.isInteger(ms) || assumedMs !== 0))
    throw new Error(`not exact: ${JSON.stringify(uses)}`);
}
