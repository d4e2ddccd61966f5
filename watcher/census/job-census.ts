import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { isReasonCode } from '../../contracts/reasons.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { isServed, type ServedNamespaces } from '../../contracts/served-namespaces.ts';
import { PHASES } from '../../contracts/status.ts';
import { quoted } from '../../contracts/visibility-query.ts';
import { isOneOf } from '../../language/one-of.ts';
import { visibleJobOf } from '../../temporal/job-identity.ts';
import { listWorkflows } from '../../temporal/list-workflows.ts';
import { fewValues, fewValuesOfEach } from './few-values.ts';
import { Sums } from './sums.ts';

interface CensusScope {
  /** Of this cluster's workers: several clusters may share a Temporal namespace. */
  readonly taskQueue: string;
  /** Only jobs of these namespaces. */
  readonly namespaces?: ServedNamespaces;
  /** The label of manifests that names a team; without one no teams are counted. */
  readonly teamLabel?: string;
}

/** The open jobs, as Temporal's visibility store knows them. */
export interface JobCensus {
  readonly jobs: Sums<'job_namespace' | 'kind' | 'phase' | 'reason'>;
  readonly teams: Sums<'team' | 'phase'>;
  /** When the oldest job was submitted that waits and has not been restarted; in epoch seconds, by namespace. */
  readonly oldestPending: ReadonlyMap<string, number>;
}

/** The most that a server gives by default. */
const PAGE = 1_000;
export const MOST_NAMESPACES = 200;
/** Of all namespaces, and of one of them. */
const MOST_KINDS = [30, 15] as const;
const MOST_TEAMS = [100, 20] as const;

/** Lists all open jobs: the visibility store can count, but groups by nothing but the workflow's status. */
export async function takeJobCensus(temporal: Client, whose: CensusScope): Promise<JobCensus> {
  const query = `WorkflowType = ${quoted(TRAINING_JOB)} AND ExecutionStatus = 'Running' AND TaskQueue = ${quoted(whose.taskQueue)}`;
  const census = {
    jobs: new Sums<'job_namespace' | 'kind' | 'phase' | 'reason'>(),
    teams: new Sums<'team' | 'phase'>(),
  };
  const oldestPending = new Map<string, number>();
  const namespaces = fewValues(MOST_NAMESPACES);
  const kinds = fewValuesOfEach(...MOST_KINDS);
  const teams = fewValuesOfEach(...MOST_TEAMS);
  for await (const info of listWorkflows(temporal, { query, pageSize: PAGE, withoutMemos: true })) {
    const { namespace, kind } = visibleJobOf(info);
    if (!isServed(whose.namespaces, namespace)) continue;
    const { phase, reason, attempt, team } = stateOf(info, whose);
    const job_namespace = namespaces(namespace);
    census.jobs.add({ job_namespace, kind: kinds(namespace, kind), phase, reason });
    if (whose.teamLabel) census.teams.add({ team: teams(namespace, team), phase });
    const since = info.startTime.getTime() / 1000;
    if (phase === 'Pending' && attempt <= 1)
      oldestPending.set(job_namespace, Math.min(since, oldestPending.get(job_namespace) ?? since));
  }
  return { ...census, oldestPending };
}

/** A job that no worker has seen yet has no attributes. */
function stateOf({ typedSearchAttributes: known }: WorkflowExecutionInfo, { teamLabel }: CensusScope) {
  const [phase, reason] = [known.get(SEARCH_ATTRIBUTES.phase), known.get(SEARCH_ATTRIBUTES.reason)];
  const ofTeam = `${teamLabel}=`;
  const label = known.get(SEARCH_ATTRIBUTES.labels)?.find((one) => one.startsWith(ofTeam));
  return {
    phase: isOneOf(PHASES, phase) ? phase : 'Pending',
    reason: isReasonCode(reason) ? reason : 'none',
    attempt: known.get(SEARCH_ATTRIBUTES.attempt) ?? 1,
    team: label?.slice(ofTeam.length) || 'none',
  };
}
