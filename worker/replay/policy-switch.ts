import { formatFault } from '../../contracts/faults.ts';
import { DEFAULT_POLICY } from '../../contracts/policy.ts';
import type { Plan } from '../../contracts/training-job.ts';
import type { EvidenceSummary, Policy } from '../../contracts/types.ts';
import { buildJob } from '../../frameworks/changes/build-job.ts';
import type { JobContext } from '../../machines/model/job-context.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { jobPolicy } from '../../machines/model/policy.ts';
import { type JobState, restore, type SavedJob, save } from '../../machines/step.ts';
import type { RecordedSource } from '../../record/compare/recorded-source.ts';

/** Another policy for a recorded job, parsed and planned as admission does. */
export interface PolicySwitch {
  readonly policy: Policy;
  plan(recorded: Plan): Plan;
  state(recorded: JobState): JobState;
  saved(recorded: SavedJob): SavedJob;
  /** Returns why it is unknown what this policy says of failed pods whose evidence was taken before. */
  unsearched(context: JobContext): string | undefined;
  /** Returns the event as a job with this policy would receive it, or why that is unknown. */
  event(recorded: JobEvent, context: JobContext): { readonly event: JobEvent } | { readonly unknown: string };
}

/** `text`: a policy document. Throws, with the faults, if the policy does not fit the job. */
export function switchPolicy({ manifest, settings }: RecordedSource, text: string): PolicySwitch {
  if (!settings) throw new Error('the job was never admitted');
  const built = buildJob({
    manifest: withName(manifest),
    settings,
    revision: 1,
    amended: { replicas: {}, policy: text },
  });
  if ('faults' in built)
    throw new Error(`the policy does not fit the job: ${built.faults.map(formatFault).join('; ')}`);
  const { policy = DEFAULT_POLICY, roles } = built.job.plan;
  const limiting = new Set(roles.filter(({ limitsMemory }) => limitsMemory).map(({ name }) => name));
  // Only what follows from the policy: sizes and all else stay as they were recorded.
  const plan = (recorded: Plan): Plan => ({
    ...recorded,
    policy,
    roles: recorded.roles.map(({ limitsMemory: _, ...role }) =>
      limiting.has(role.name) ? { ...role, limitsMemory: true } : role,
    ),
  });
  const saved = (recorded: SavedJob): SavedJob => ({
    ...recorded,
    context: withPlan(recorded.context, { policy, plan }),
  });
  return {
    policy,
    plan,
    saved,
    state: (recorded) => restore(saved(save(recorded))),
    unsearched: (context) =>
      Object.keys(context.captured ?? {}).length > 0 ? unsearchedIn(jobPolicy(context), policy) : undefined,
    event: (recorded, context) => eventWith({ recorded, context, policy, plan }),
  };
}

/** A schedule names its jobs; the name decides nothing. */
function withName(manifest: unknown): unknown {
  const { metadata, ...others } = manifest as { readonly metadata?: object };
  return { ...others, metadata: { name: 'scheduled', ...metadata } };
}

function withPlan(context: JobContext, { policy, plan }: Pick<PolicySwitch, 'policy' | 'plan'>): JobContext {
  const { amended, captured } = context;
  const patterns = { searched: patternsOf(jobPolicy(context)), wanted: patternsOf(policy) };
  return {
    ...context,
    plan: plan(context.plan),
    ...(amended ? { amended: { ...amended, plan: plan(amended.plan) } } : {}),
    ...(captured ? { captured: capturedWith(captured, patterns) } : {}),
  };
}

const capturedWith = (captured: NonNullable<JobContext['captured']>, patterns: PatternChange) =>
  Object.fromEntries(
    Object.entries(captured).map(([uid, matches]) => [uid, indicesOf(matches, patterns)] as const),
  );

interface Received {
  readonly recorded: JobEvent;
  /** Of the job with its recorded policy. */
  readonly context: JobContext;
  readonly policy: Policy;
  readonly plan: PolicySwitch['plan'];
}

function eventWith({ recorded, context, policy, plan }: Received): ReturnType<PolicySwitch['event']> {
  if (recorded.type === 'amend') return { event: { ...recorded, plan: plan(recorded.plan) } };
  if (recorded.type !== 'effectDone' || !recorded.evidence?.length) return { event: recorded };
  const own = jobPolicy(context);
  const unknown = unsearchedIn(own, policy);
  if (unknown !== undefined) return { unknown };
  const patterns = { searched: patternsOf(own), wanted: patternsOf(policy) };
  const evidence = recorded.evidence.map((summary) => withMatches(summary, patterns));
  return { event: { ...recorded, evidence } };
}

function unsearchedIn(own: Policy, policy: Policy): string | undefined {
  const searched = patternsOf(own);
  const wanted = patternsOf(policy);
  const unsearched = wanted.find((pattern) => pattern !== undefined && !searched.includes(pattern));
  if (unsearched !== undefined)
    return `the logs of the failed pods were not searched for the pattern ${JSON.stringify(unsearched)}`;
  if (wanted.some(Boolean) && own.evidence.logLines !== policy.evidence.logLines)
    return 'another number of log lines would have been searched for the patterns of the policy';
  return undefined;
}

type Patterns = readonly (string | undefined)[];

const patternsOf = ({ failures }: Policy): Patterns => failures.rules.map(({ pattern }) => pattern);

/** Evidence names rules by their index. */
function withMatches(
  { matches = [], ...summary }: EvidenceSummary,
  patterns: PatternChange,
): EvidenceSummary {
  const indices = indicesOf(matches, patterns);
  return indices.length > 0 ? { ...summary, matches: indices } : summary;
}

interface PatternChange {
  readonly searched: Patterns;
  readonly wanted: Patterns;
}

/** Returns which of the wanted patterns matched, given which of those that were searched for did. */
function indicesOf(matches: readonly number[], { searched, wanted }: PatternChange): number[] {
  const found = new Set(matches.map((index) => searched[index]));
  return wanted.flatMap((pattern, index) => (pattern !== undefined && found.has(pattern) ? [index] : []));
}
