import type { ArchiveRequest } from '../../contracts/archiver.ts';
import type { LanesReference } from '../../contracts/lane-request.ts';
import type { ParentJob } from '../../contracts/parent-job.ts';
import type {
  ClusterSettings,
  StoreSettings,
  TemporalSettings,
  TlsSettings,
} from '../../contracts/settings.ts';
import type {
  AmendRequest,
  ExtendRequest,
  HoldRequest,
  Intervention,
  ScaleRequest,
  StopRequest,
} from '../../contracts/types.ts';
import { isFields, keysOf, ownValue } from '../../language/fields.ts';
import { InvalidManifestError } from '../errors/errors.ts';
import type {
  CallOptions,
  CleanUpOptions,
  ClientSettings,
  SubmitManyOptions,
  SubmitOptions,
  WaitOptions,
} from '../servers/client-settings.ts';
import type { FollowOptions } from '../servers/follow-runs.ts';
import type { ApplyOptions } from '../use-cases/apply/apply-options.ts';
import type { OpenArchiveOptions } from '../use-cases/archive/open-archive-options.ts';
import type { VerifyOptions, VerifyStoreOptions } from '../use-cases/archive/verification.ts';
import type { CostOptions, PeriodOptions } from '../use-cases/cost/cost-options.ts';
import type { PriceOptions } from '../use-cases/cost/job-cost.ts';
import type { ArchivedJobFilter, JobFilter } from '../use-cases/find/job-filter.ts';
import type { NotificationFilter } from '../use-cases/notifications/list-notifications.ts';
import type { FollowHistoryOptions, HistoryOptions } from '../use-cases/observe/ledger.ts';
import type { SweepFilter } from '../use-cases/parameter-sweep/list-sweeps.ts';
import type { SweepOptions } from '../use-cases/parameter-sweep/sweep-options.ts';
import type { EvidenceChoice } from '../use-cases/pods/evidence.ts';
import type { JobLogOptions } from '../use-cases/pods/log-options.ts';
import type { RerunOptions } from '../use-cases/rerun/rerun-options.ts';
import type { ScheduleRequest } from '../use-cases/schedules/schedule-types.ts';

/** Of options, and of those within one of them. */
interface Table {
  readonly [name: string]: true | Table;
}

/** TypeScript refuses a table that lacks a name of the options, or has another. */
type Names<T> = Readonly<Record<NameIn<T>, true | Table>>;
type NameIn<T> = T extends unknown ? keyof T & string : never;

const CALL: Names<CallOptions> = { timeout: true, signal: true };
const CLEAN_UP: Names<CleanUpOptions> = {
  ...CALL,
  ...{ cleanUpTimeout: true, cleanUpSignal: true, onCleanUp: true },
};
const SUBMIT_MANY: Names<SubmitManyOptions> = {
  ...CLEAN_UP,
  ...{ key: true, labels: true, why: true, namespace: true, rerun: true, strict: true },
};
const PARENT: Names<ParentJob> = { workflowId: true, runId: true, revision: true };
const SUBMIT: Names<SubmitOptions> = { ...SUBMIT_MANY, workflowId: true, rerunOf: PARENT };
const APPLY: Names<ApplyOptions> = {
  ...CLEAN_UP,
  ...{ why: true, namespace: true, strict: true, dryRun: true },
};
const RERUN: Names<RerunOptions> = {
  ...CLEAN_UP,
  ...{ revision: true, set: true, env: true, name: true, strict: true, runId: true, why: true, key: true },
};
const SWEEP: Names<SweepOptions> = {
  ...CALL,
  ...{ set: true, env: true, atMost: true, name: true, namespace: true, rerun: true, stopOnFailure: true },
  ...{ why: true, strict: true },
};
const SCHEDULE: Names<ScheduleRequest> = {
  ...CALL,
  ...{ name: true, namespace: true, cron: true, every: true, offset: true, timeZone: true, jitter: true },
  ...{ overlap: true, catchUp: true, startAt: true, endAt: true, pauseOnFailure: true, paused: true },
  ...{ note: true, labels: true, strict: true },
};

const TLS: Names<TlsSettings> = { caFile: true, certFile: true, keyFile: true, serverName: true };
const TEMPORAL: Names<TemporalSettings> = {
  ...{ address: true, namespace: true, apiKey: true, tls: TLS, dataConverter: true },
};
/** Programs may pass the settings of a process on. */
const CLUSTER: Names<ClusterSettings> = {
  ...{ kubeconfig: true, context: true, connections: true, namespaces: true, id: true },
};
const STORE: Names<StoreSettings> = {
  ...{ store: true, directory: true, bucket: true, prefix: true, region: true, endpoint: true },
};
const LANES: Names<LanesReference> = { namespace: true, name: true };
const CONNECT: Names<ClientSettings> = {
  ...{ temporal: TEMPORAL, cluster: CLUSTER, evidence: STORE, taskQueue: true, namespace: true },
  ...{ lanes: LANES, submittedBy: true, validate: true },
};
/** People use the same options to wait for a job and to watch it. */
const WAIT: Names<WaitOptions & FollowOptions> = { ...CALL, onInterrupted: true };
const LEDGER = { attempt: true, since: true, from: true, limit: true, replay: true } as const;
const HISTORY: Names<HistoryOptions> = { ...LEDGER, ...CALL };
const FOLLOW_HISTORY: Names<FollowHistoryOptions> = { ...LEDGER, signal: true, onInterrupted: true };
const FILTER: Names<JobFilter> = {
  ...{ namespace: true, name: true, kind: true, labels: true, submittedBy: true, since: true, until: true },
  ...{ phase: true, reason: true, limit: true, pageSize: true },
};
const ARCHIVED: Names<ArchivedJobFilter> = {
  ...{ namespace: true, name: true, kind: true, labels: true, submittedBy: true, since: true, until: true },
  ...{ phase: true, reason: true, limit: true, endedSince: true, endedBefore: true },
};
const OPEN_ARCHIVE: Names<OpenArchiveOptions> = { dataConverter: true };
const VERIFY: Names<VerifyOptions> = { publicKey: true };
const VERIFY_STORE: Names<VerifyStoreOptions> = { ...VERIFY, checkpoint: true };
const ARCHIVE: Names<ArchiveRequest> = { workflowIds: true, since: true, forMs: true, all: true };
const SWEEPS: Names<SweepFilter> = { namespace: true, limit: true };
const LOGS: Names<JobLogOptions> = {
  ...{ role: true, index: true, rank: true, pod: true, all: true, container: true, follow: true },
  ...{ previous: true, tailLines: true, sinceSeconds: true, timestamps: true, signal: true },
};
const EVIDENCE: Names<EvidenceChoice> = { pod: true, attempt: true };
const PERIOD: Names<PeriodOptions & { readonly archive?: object }> = {
  ...{ namespace: true, since: true, until: true, prices: true, onWarning: true, archive: true },
};
const COST: Names<CostOptions & { readonly archive?: object }> = { ...PERIOD, by: true };
const PRICES: Names<PriceOptions> = { prices: true };
const JOB_COST: Names<PriceOptions & HistoryOptions> = { ...HISTORY, ...PRICES };
const NOTIFICATIONS: Names<NotificationFilter> = {
  ...{ namespace: true, name: true, route: true, undelivered: true, since: true, until: true, limit: true },
};

const WHO: Names<Intervention> = { by: true, why: true };
const STOP: Names<StopRequest> = { ...WHO, checkpoint: true };
const SCALE: Names<ScaleRequest> = { ...WHO, role: true, replicas: true };
const SECONDS: Names<ExtendRequest & HoldRequest> = { ...WHO, seconds: true };
const AMEND: Names<AmendRequest> = { ...WHO, policy: true };

/** By what a caller gives; several methods take the same. */
const OPTIONS = {
  submit: SUBMIT,
  submitMany: SUBMIT_MANY,
  apply: APPLY,
  rerun: RERUN,
  sweep: SWEEP,
  schedule: SCHEDULE,
  ...{ connect: CONNECT, call: CALL, wait: WAIT, history: HISTORY, followHistory: FOLLOW_HISTORY },
  ...{ list: FILTER, sweeps: SWEEPS, logs: LOGS, evidence: EVIDENCE, notifications: NOTIFICATIONS },
  ...{ cost: COST, report: PERIOD, jobCost: JOB_COST },
  ...{
    openArchive: OPEN_ARCHIVE,
    archiveStore: STORE,
    listArchived: { onUnreadable: true },
    archived: ARCHIVED,
  },
  ...{ verify: VERIFY, verifyStore: VERIFY_STORE, prices: PRICES, archive: ARCHIVE },
  ...{ schedules: { namespace: true }, backfill: { ...CALL, from: true, to: true, overlap: true } },
  ...{ pauseSchedule: { ...CALL, why: true }, trigger: { ...CALL, overlap: true } },
  ...{
    closeLane: { why: true },
    moveToLane: { ...WHO, lane: true },
    lanePriority: { ...WHO, priority: true },
  },
  ...{ intervention: WHO, stop: STOP, scale: SCALE, extend: SECONDS, hold: SECONDS, amend: AMEND },
  ...{ stopSweep: { ...WHO, ...CALL }, why: { namespace: true, strict: true } },
} as const satisfies Readonly<Record<string, Table>>;

type Given = { readonly [K in keyof typeof OPTIONS]?: object };

/**
 * Throws `InvalidManifestError` for options that a method does not have: a misspelt `key` would start a job without one. An
 * option that is undefined is none.
 */
export async function refuseUnknownOptions(given: Given): Promise<void> {
  const unknown = keysOf(given).flatMap((of) => unknownIn(given[of] ?? {}, OPTIONS[of]));
  if (unknown.length === 0) return;
  const { nearest } = await import('../../language/did-you-mean.ts');
  const faults = unknown.map(({ path, name, known }) => {
    const meant = nearest(name, known);
    const expected = meant === undefined ? `one of the options ${known.join(', ')}` : `the option ${meant}`;
    return { path, expected, got: 'an unknown option' };
  });
  throw new InvalidManifestError(faults, [], { of: 'call' });
}

interface Unknown {
  readonly path: string;
  readonly name: string;
  readonly known: readonly string[];
}

const unknownIn = (options: object, table: Table, within = ''): readonly Unknown[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const path = `${within}${name}`;
    const inner = ownValue(table, name);
    if (inner === undefined) return [{ path, name, known: keysOf(table) }];
    return inner === true || !isFields(value) ? [] : unknownIn(value, inner, `${path}.`);
  });
