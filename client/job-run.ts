import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { ClusterClient } from '../cluster/client.ts';
import { withoutLastApplied } from '../contracts/last-applied.ts';
import type { LedgerEntry } from '../contracts/ledger.ts';
import { type Intervention, MEMO } from '../contracts/messages.ts';
import type { PodsRecord } from '../contracts/pods-record.ts';
import { timeoutSignal } from '../contracts/timers.ts';
import type { EvidenceStore } from '../evidence/store.ts';
import { findWorkflow, firstRunIdOf, hasFirstRun } from '../temporal/find-workflow.ts';
import { isOpen } from '../temporal/open-workflows.ts';
import { type RunChain, readRunChain } from '../temporal/run-chain.ts';
import { workflowStart } from '../temporal/workflow-start.ts';
import type { CallOptions, WaitOptions } from './client-settings.ts';
import { WaitTimeoutError, WorkerAwayError } from './errors.ts';
import { closedRunOf, type FollowOptions, type Run, untilAnswered } from './history.ts';
import { intervene } from './intervene.ts';
import {
  type AskedChain,
  type FollowHistoryOptions,
  followLedger,
  type HistoryOptions,
  readLedger,
} from './ledger.ts';
import type { Calling } from './ledger-reader.ts';
import { outcomeOf } from './outcome.ts';
import { type KnownStatus, recordedStatus } from './recorded-status.ts';
import { retryWhileAway } from './retry-while-away.ts';
import { askStatus } from './status.ts';
import { type JobSummary, summaryOf } from './summary.ts';
import { toClientError } from './temporal-errors.ts';
import { type Outcome, typedOutcome } from './typed-outcome.ts';
import { watchStatus } from './watch.ts';
import { failWithoutWorker } from './worker-presence.ts';

/** What a job's handle needs from its client. */
export interface HandleContext {
  readonly temporal: Client;
  readonly temporalAddress: string;
  readonly cluster: () => Promise<ClusterClient>;
  readonly evidence: () => Promise<EvidenceStore>;
  /** The default of `by` of interventions. */
  readonly user: string;
  /** Task queue of the workers. */
  readonly taskQueue: string;
}

/** A workflow id; with `firstRunId`, only the chain of runs that began with it. */
export interface JobRunId {
  readonly workflowId: string;
  readonly runId?: string;
  readonly firstRunId?: string;
}

type NamedJob = JobSummary & { readonly firstRunId: string; readonly anchorUid?: string };

/** How long a worker has to answer, in milliseconds. */
const ANSWER_MS = 10_000;

/** Asks Temporal about one job, in the errors of this library. */
export class JobRun {
  readonly #context: HandleContext;
  readonly #id: JobRunId;
  #run: Run | undefined;

  constructor(context: HandleContext, id: JobRunId) {
    this.#context = context;
    this.#id = id;
    this.#run = id.runId === undefined ? undefined : { workflowId: id.workflowId, runId: id.runId };
  }

  status(options: CallOptions): Promise<KnownStatus> {
    return this.#ask(options, async () => {
      const described = await this.#describe();
      const run = { workflowId: this.#id.workflowId, runId: described.runId };
      if (!isOpen(described.status.name)) return outcomeOf(this.#temporal, run);
      const call = () => askStatus(this.#temporal, run, Math.min(options.timeout ?? ANSWER_MS, ANSWER_MS));
      try {
        const asked = { workflowId: run.workflowId, call, hasFallback: true, signal: options.signal };
        return await failWithoutWorker(this.#temporal, asked);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof WorkerAwayError)) throw error;
        return recordedStatus(described, this.#context.cluster);
      }
    });
  }

  /** Returns the summary, and what identifies the job's objects: the first run of the chain, and the anchor if it had one. */
  named(options: CallOptions): Promise<NamedJob> {
    return this.#ask(options, async () => {
      const described = await this.#describe();
      const firstRunId = firstRunIdOf(described);
      const anchorUid = described.memo?.[MEMO.anchorUid] as string | undefined;
      return { ...summaryOf(described), firstRunId, anchorUid };
    });
  }

  histories(options: CallOptions): Promise<RunChain> {
    return this.#ask(options, async () => {
      const { runId } = await this.#describe();
      return readRunChain(this.#temporal, { workflowId: this.#id.workflowId, runId });
    });
  }

  async pods(options: CallOptions): Promise<readonly PodsRecord[]> {
    const { podsRecordsOf } = await import('../evidence/pods-records.ts');
    const { namespace, name, anchorUid } = await this.named(options);
    if (anchorUid === undefined) return [];
    return podsRecordsOf(await this.#context.evidence(), { namespace, name, anchorUid });
  }

  /** Returns the manifest as submitted. Each run of a chain is started with it, and retention may delete the first ones. */
  manifest(options: CallOptions): Promise<unknown> {
    return this.#ask(options, async () => {
      const { workflowId, runId } = await this.#describe();
      return withoutLastApplied((await workflowStart(this.#temporal, { workflowId, runId })).input[0]);
    });
  }

  async isOpen(options: CallOptions): Promise<boolean> {
    return this.#ask(options, async () => isOpen((await this.#describe()).status.name));
  }

  async wait({ timeout, signal }: WaitOptions): Promise<Outcome> {
    const limit = timeout === undefined ? undefined : timeoutSignal(timeout);
    const signals = [signal, limit].filter((one) => one !== undefined);
    const options = { signal: signals.length > 0 ? AbortSignal.any(signals) : undefined };
    try {
      return await this.#translated(async () => {
        const last = await closedRunOf(this.#temporal, await this.#startingRun(options), options);
        return typedOutcome(
          await untilAnswered(this.#temporal, options, () => outcomeOf(this.#temporal, last)),
        );
      });
    } catch (error) {
      if (!limit?.aborted || error !== limit.reason) throw error;
      throw new WaitTimeoutError(this.#id.workflowId, timeout!);
    }
  }

  async *watch(options: FollowOptions): AsyncGenerator<KnownStatus> {
    try {
      yield* watchStatus(this.#temporal, await this.#startingRun(options), options);
    } catch (error) {
      throw this.#clientError(error);
    }
  }

  async *ledger(options: HistoryOptions): AsyncGenerator<LedgerEntry> {
    try {
      const call = <T>(work: () => Promise<T>) => retryWhileAway(this.#temporal, options, work);
      yield* readLedger(await this.#chain(call), options);
    } catch (error) {
      throw this.#clientError(error);
    }
  }

  async *followLedger(options: FollowHistoryOptions): AsyncGenerator<LedgerEntry> {
    try {
      const call = <T>(work: () => Promise<T>) => untilAnswered(this.#temporal, options, work);
      yield* followLedger(await this.#chain(call), options, options);
    } catch (error) {
      throw this.#clientError(error);
    }
  }

  intervene(update: string, request: Intervention, options: CallOptions): Promise<void> {
    const { workflowId, firstRunId } = this.#id;
    const named = { ...request, by: request.by ?? this.#context.user };
    const intervention = { workflowId, firstRunId, update, request: named };
    const describe = () => this.#describe();
    return this.#translated(() => intervene(this.#temporal, intervention, { ...options, describe }));
  }

  get #temporal(): Client {
    return this.#context.temporal;
  }

  /** Describes the last run; if a later job has the workflow id, the last run of this one's chain. */
  async #describe(): Promise<WorkflowExecutionDescription> {
    const { workflowId, runId, firstRunId } = this.#id;
    const last = await this.#temporal.workflow.getHandle(workflowId).describe();
    if (runId === undefined || hasFirstRun(last, firstRunId)) return last;
    const closed = await closedRunOf(this.#temporal, { workflowId, runId }, {});
    return this.#temporal.workflow.getHandle(workflowId, closed.runId).describe();
  }

  async #chain(call: Calling): Promise<AskedChain> {
    return { client: this.#temporal, described: await call(() => this.#describe()), call };
  }

  /** Retention may delete the first runs of a long job; the present run always exists. */
  async #startingRun(options: FollowOptions): Promise<Run> {
    return untilAnswered(this.#temporal, options, async () => {
      if (this.#run && (await findWorkflow(this.#temporal, this.#run.workflowId, this.#run.runId))) {
        return this.#run;
      }
      this.#run = { workflowId: this.#id.workflowId, runId: (await this.#describe()).runId };
      return this.#run;
    });
  }

  #ask<T>(options: CallOptions, question: () => Promise<T>): Promise<T> {
    return this.#translated(() => retryWhileAway(this.#temporal, options, question));
  }

  async #translated<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw this.#clientError(error);
    }
  }

  #clientError(error: unknown): unknown {
    const { workflowId } = this.#id;
    return toClientError(error, { workflowId, address: this.#context.temporalAddress });
  }
}
