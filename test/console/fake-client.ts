import { JobNotFoundError, ServerAwayError } from '../../client/errors/errors.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import type { PageChoice } from '../../client/use-cases/find/page-of-jobs.ts';
import type { JobDetails } from '../../client/use-cases/observe/job-details.ts';
import type { JobLogLine } from '../../client/use-cases/pods/log-options.ts';
import type { LogSigns } from '../../client/use-cases/pods/silence.ts';
import { isFinal } from '../../contracts/status.ts';
import type { LanesAnswer, LedgerEntry, WhyAnswer } from '../../contracts/types.ts';
import type { PeriodReport } from '../../record/report/period/period-report.ts';
import type { ReportData } from '../../record/report/report-data.ts';
import type { ShownJob } from './shown-jobs.ts';

/** A request that a job has heard. */
interface Heard {
  readonly what: string;
  readonly by: string | undefined;
  readonly request: unknown;
}

/** What stands in for Temporal and the cluster: jobs by `NAMESPACE/NAME`. */
export class FakeServers {
  readonly heard: Heard[] = [];
  readonly listed: PageChoice[] = [];
  /** Lines of every job's log. */
  lines: JobLogLine[] = [];
  isAway = false;
  /** What lists show in place of the jobs. */
  shown: readonly ShownJob[] | undefined;
  lanes: LanesAnswer | undefined;
  /** What every live job says of itself. */
  why: Partial<WhyAnswer> = {};
  /** What the next page of each list is. */
  next: string | undefined = 'bmV4dA';
  #jobs: ReadonlyMap<string, ReportData>;
  #entries: LedgerEntry[] = [];
  #told = Promise.withResolvers<void>();

  constructor(jobs: readonly ReportData[]) {
    this.#jobs = new Map(jobs.map((data) => [`${data.status.namespace}/${data.status.name}`, data]));
  }

  connect = async (): Promise<SignalboxClient> => this.#client(undefined);

  /** A job goes on: each that is followed tells the entry. */
  goOn(entry: LedgerEntry): void {
    this.#entries.push(entry);
    this.#told.resolve();
    this.#told = Promise.withResolvers();
  }

  #client(by: string | undefined): SignalboxClient {
    const answered = <T>(value: T): Promise<T> =>
      this.isAway
        ? Promise.reject(new ServerAwayError('Temporal', 'fake:7233', new Error('refused')))
        : Promise.resolve(value);
    const client = {
      listPage: (choice: PageChoice) => {
        this.listed.push(choice);
        const { namespaces, filter } = choice;
        const jobs = (this.shown?.map(({ summary }) => summary) ?? this.#summaries())
          .filter((job) => filter.name === undefined || job.name === filter.name)
          .filter((job) => namespaces?.includes(job.namespace) ?? true)
          .filter((job) => filter.namespace === undefined || job.namespace === filter.namespace);
        return answered({ jobs, ...(this.next === undefined ? {} : { next: this.next }) });
      },
      list: () => this.#ended(),
      countPage: () => answered(this.#counts()),
      details: () => answered(this.#details()),
      logSigns: () => answered(this.#signs()),
      lanes: { list: () => answered(this.lanes) },
      find: async ({ namespace, name }: { namespace: string; name: string }) => {
        await answered(undefined);
        const data = this.#jobs.get(`${namespace}/${name}`);
        if (!data) throw new JobNotFoundError(`job/${namespace}/${name}`);
        return this.#handle(data, by);
      },
      submit: async (manifest: unknown, options: unknown) => {
        this.heard.push({ what: 'submit', by, request: { manifest, options } });
        return this.#handle([...this.#jobs.values()][0]!, by);
      },
      whyWaiting: () => answered(WHY),
      report: async (options: unknown) => {
        this.heard.push({ what: 'report', by, request: options });
        return PERIOD;
      },
      rerun: async (job: { workflowId: string }, options: unknown) => {
        this.heard.push({ what: `rerun ${job.workflowId}`, by, request: options });
        return this.#handle([...this.#jobs.values()][0]!, by);
      },
      as: (user: string) => this.#client(user),
      close: async () => undefined,
    };
    return client as unknown as SignalboxClient;
  }

  #summaries = () => [...this.#jobs.values()].map(summaryOfReport);

  #counts() {
    if (!this.shown) return { Running: this.#jobs.size };
    const byPhase = Object.groupBy(this.shown, ({ summary }) => summary.phase);
    return Object.fromEntries(Object.entries(byPhase).map(([phase, some]) => [phase, some.length]));
  }

  #details(): ReadonlyMap<string, JobDetails> {
    if (!this.shown) return new Map([...this.#jobs.values()].map((data) => [data.workflowId, DETAILS]));
    return new Map(
      this.shown.flatMap(({ summary, details }) => (details ? [[summary.workflowId, details]] : [])),
    );
  }

  #signs(): ReadonlyMap<string, LogSigns> {
    const shown = this.shown ?? [];
    return new Map(shown.flatMap(({ summary, signs }) => (signs ? [[summary.workflowId, signs]] : [])));
  }

  async *#ended() {
    for (const job of this.#summaries()) if (isFinal(job.phase)) yield job;
  }

  #handle(data: ReportData, by: string | undefined): JobHandle {
    const hear = (what: string) => async (request: unknown) => {
      this.heard.push({ what, by, request });
      return what === 'stop' ? 'requested' : undefined;
    };
    const handle = {
      workflowId: data.workflowId,
      summary: async () => summaryOfReport(data),
      report: async () => ({ ...data, entries: [...data.entries, ...this.#entries] }),
      compared: async () => ({
        ...{ workflowId: data.workflowId, runId: data.firstRunId, revision: 1, manifest: data.manifest },
        ...{ entries: data.entries, pods: data.pods },
      }),
      why: async () =>
        this.why.explanation ?? {
          ...{ phase: data.status.phase, sentence: 'It waits for the gang.', remedy: 'Wait.' },
        },
      whyWaiting: async () => ({ ...WHY, ...this.why }),
      followHistory: ({ from = 1, signal }: { from?: number; signal: AbortSignal }) =>
        this.#follow(data.entries, from, signal),
      logs: () => this.#log(),
      rerun: async (options: unknown) => {
        this.heard.push({ what: 'rerun', by, request: options });
        return handle;
      },
      ...Object.fromEntries(ASKED.map((what) => [what, hear(what)])),
    };
    return handle as unknown as JobHandle;
  }

  async *#follow(first: readonly LedgerEntry[], from: number, signal: AbortSignal) {
    let next = from;
    while (!signal.aborted) {
      const told = this.#told.promise;
      for (const entry of [...first, ...this.#entries].filter(({ seq }) => seq >= next)) {
        next = entry.seq + 1;
        yield entry;
      }
      await Promise.race([told, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
    }
  }

  async *#log() {
    yield* this.lines;
  }
}

const ASKED = [
  ...['suspend', 'resume', 'scale', 'retryNow', 'hold', 'release', 'extendDeadline', 'amendPolicy'],
  'stop',
];

const DETAILS = {
  gpus: 64,
  progress: 'epoch 3',
  cause: { reason: 'WaitingForGang', message: '6 of 8 pods have a node' },
  restarts: 1,
} as const;

const WHY = {
  ...{ kind: 'PyTorchJob', namespace: 'ml', name: 'train', asOf: '2026-11-21T09:00:00Z' },
  reasons: [
    {
      code: 'Unschedulable',
      sentence: 'No node has room for <b>all</b> pods.',
      who: 'nobody',
      remedy: 'Wait.',
    },
  ],
  ...{ placements: [], unknown: [] },
};

const PERIOD: PeriodReport = {
  ...{
    namespace: 'ml',
    since: '2026-11-01',
    until: null,
    asOf: '2026-11-21T09:00:00Z',
    readFrom: ['Temporal'],
  },
  jobs: { completed: 3, failed: 1, stopped: 0, live: 2, successRate: 0.75 },
  ...{ resources: [], users: [], reasons: [], restarts: [], nodes: [], starts: [], largest: [], missing: [] },
};

function summaryOfReport({ workflowId, firstRunId, status, submitted }: ReportData): JobSummary {
  const { kind, name, namespace, phase, cause, attempt } = status;
  return {
    ...{ workflowId, runId: firstRunId, kind, name, namespace, phase, attempt },
    ...(cause ? { reason: cause.reason } : {}),
    startTime: submitted.at,
    submittedBy: submitted.who.given,
  };
}
