import type { EvidenceSummary } from '../../contracts/evidence.ts';
import { formatFault } from '../../contracts/faults.ts';
import { DEFAULT_POLICY, type Policy } from '../../contracts/policy.ts';
import type { Plan } from '../../contracts/training-job.ts';
import { buildJob } from '../../frameworks/policy/build-job.ts';
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
  /** Returns the event as a job with this policy hears it, or why nobody can know that. */
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
    context: withPlan(recorded.context, plan),
  });
  return {
    policy,
    plan,
    saved,
    state: (recorded) => restore(saved(save(recorded))),
    event: (recorded, context) => heardWith({ recorded, context, policy, plan }),
  };
}

/** A schedule names its jobs; the name decides nothing. */
function withName(manifest: unknown): unknown {
  const { metadata, ...others } = manifest as { readonly metadata?: object };
  return { ...others, metadata: { name: 'scheduled', ...metadata } };
}

function withPlan(context: JobContext, planned: (plan: Plan) => Plan): JobContext {
  const { amended } = context;
  return {
    ...context,
    plan: planned(context.plan),
    ...(amended ? { amended: { ...amended, plan: planned(amended.plan) } } : {}),
  };
}

interface Heard {
  readonly recorded: JobEvent;
  /** Of the job with its recorded policy. */
  readonly context: JobContext;
  readonly policy: Policy;
  readonly plan: PolicySwitch['plan'];
}

function heardWith({ recorded, context, policy, plan }: Heard): ReturnType<PolicySwitch['event']> {
  if (recorded.type === 'amend') return { event: { ...recorded, plan: plan(recorded.plan) } };
  if (recorded.type !== 'effectDone' || !recorded.evidence?.length) return { event: recorded };
  const own = jobPolicy(context);
  const searched = patternsOf(own);
  const wanted = patternsOf(policy);
  const unsearched = wanted.find((pattern) => pattern !== undefined && !searched.includes(pattern));
  if (unsearched !== undefined) {
    return {
      unknown: `nobody searched the logs of the failed pods for the pattern ${JSON.stringify(unsearched)}`,
    };
  }
  if (wanted.some(Boolean) && own.evidence.logLines !== policy.evidence.logLines) {
    return { unknown: 'another number of log lines would have been searched for the patterns of the policy' };
  }
  const evidence = recorded.evidence.map((summary) => withMatches(summary, { searched, wanted }));
  return { event: { ...recorded, evidence } };
}

type Patterns = readonly (string | undefined)[];

const patternsOf = ({ failures }: Policy): Patterns => failures.rules.map(({ pattern }) => pattern);

/** Evidence names rules by their index. */
function withMatches(
  { matches = [], ...summary }: EvidenceSummary,
  { searched, wanted }: { readonly searched: Patterns; readonly wanted: Patterns },
): EvidenceSummary {
  const found = new Set(matches.map((index) => searched[index]));
  const indices = wanted.flatMap((pattern, index) =>
    pattern !== undefined && found.has(pattern) ? [index] : [],
  );
  return indices.length > 0 ? { ...summary, matches: indices } : summary;
}
