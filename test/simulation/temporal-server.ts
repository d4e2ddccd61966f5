import { AsyncLocalStorage } from 'node:async_hooks';
import { status as code } from '@grpc/grpc-js';
import { Client } from '@temporalio/client';
import type { Workflow } from '@temporalio/workflow';
import type { ModelProcess } from './process.ts';
import type { Step } from './step.ts';
import { ANSWERS, type Executions, grpcError, type StartedActivity } from './temporal-answers.ts';
import { randomUuid } from './uuid.ts';
import { WorkflowExecution } from './workflow-execution.ts';

interface Call {
  readonly process: ModelProcess;
  readonly method: string;
  readonly request: never;
  answer(value: unknown): void;
  fail(error: unknown): void;
  isGivenUp: boolean;
}

/** By its task token. */
type FindActivity = (token: string) => StartedActivity | undefined;

interface CallOptions {
  readonly deadline?: number;
  readonly signal?: AbortSignal;
}

/**
 * A Temporal server, as far as signalbox asks. Its workflows run on the SDK's own runtime (test/workflows/workflow-host.ts);
 * clients are the SDK's, over calls that arrive when the simulation says so.
 */
export class ModelTemporal implements Executions {
  isAway = false;
  /** All runs, by workflow id, the oldest first. */
  readonly executions = new Map<string, WorkflowExecution[]>();
  readonly #calls = new Set<Call>();
  readonly #options = new AsyncLocalStorage<CallOptions>();
  readonly #workflows: Readonly<Record<string, Workflow>>;
  readonly #random: () => number;
  readonly #activityOf: FindActivity;

  constructor(workflows: Readonly<Record<string, Workflow>>, random: () => number, activityOf: FindActivity) {
    this.#workflows = workflows;
    this.#random = random;
    this.#activityOf = activityOf;
  }

  /** The SDK's client, in one process. */
  connect(process: ModelProcess): Client {
    const scoped =
      <K extends keyof CallOptions>(option: K) =>
      <R>(value: NonNullable<CallOptions[K]>, work: () => Promise<R>) =>
        this.#options.run({ ...this.#options.getStore(), [option]: value }, work);
    const service = new Proxy(
      {},
      { get: (_, method: string) => (request: never) => this.#call(process, method, request) },
    );
    const connection = {
      workflowService: service,
      operatorService: service,
      plugins: [],
      close: async () => undefined,
      ensureConnected: async () => undefined,
      withDeadline: scoped('deadline'),
      withAbortSignal: scoped('signal'),
      withMetadata: (_: unknown, work: () => Promise<unknown>) => work(),
    };
    return new Client({ connection: connection as never, namespace: 'default', identity: process.name });
  }

  /** The last run of a workflow id. */
  last(workflowId: string): WorkflowExecution | undefined {
    return this.executions.get(workflowId)?.at(-1);
  }

  all(): WorkflowExecution[] {
    return [...this.executions.values()].flat();
  }

  open(): WorkflowExecution[] {
    return [...this.executions.values()].map((runs) => runs.at(-1)!).filter(({ isOpen }) => isOpen);
  }

  start(workflowId: string, type: string, args: readonly unknown[], identity = 'user'): WorkflowExecution {
    const runId = randomUuid(this.#random);
    return this.#add(
      new WorkflowExecution(this.#workflows[type]!, { workflowId, runId, type, args, identity }),
    );
  }

  terminate(workflowId: string): void {
    this.last(workflowId)?.terminate();
  }

  /** What can arrive next. */
  steps(): Step[] {
    if (this.isAway) return [];
    return [...this.#calls]
      .filter(({ isGivenUp, process }) => isGivenUp || process.isRunning)
      .map((call) => ({ does: `${call.process.name}: ${call.method}`, run: () => this.#serve(call) }));
  }

  /** Whoever waits longer than its deadline is answered so. */
  cut(process: ModelProcess, random: () => number): void {
    for (const call of this.#calls) {
      if (call.process !== process) continue;
      if (random() < 0.5) this.#calls.delete(call);
      else call.isGivenUp = true;
    }
  }

  /** A run that continues another takes its place. */
  continueAsNew(before: WorkflowExecution): WorkflowExecution {
    return this.#add(before.next(randomUuid(this.#random)));
  }

  #add(execution: WorkflowExecution): WorkflowExecution {
    const { workflowId } = execution;
    this.executions.set(workflowId, [...(this.executions.get(workflowId) ?? []), execution]);
    return execution;
  }

  #call(process: ModelProcess, method: string, request: never): Promise<unknown> {
    if (process.isDead) return new Promise(() => undefined);
    const { deadline, signal } = this.#options.getStore() ?? {};
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call: Call = { process, method, request, isGivenUp: false, answer: resolve, fail: reject };
    this.#calls.add(call);
    const giveUp = (status: number, details: string) => {
      call.isGivenUp = true;
      reject(grpcError(status, details));
    };
    const over = setTimeout(
      () => giveUp(code.DEADLINE_EXCEEDED, 'deadline exceeded'),
      Math.max(0, (deadline ?? Date.now() + 10_000) - Date.now()),
    );
    const abort = () => giveUp(code.CANCELLED, 'cancelled');
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const settled = () => {
      clearTimeout(over);
      signal?.removeEventListener('abort', abort);
    };
    promise.then(settled, settled);
    return promise;
  }

  async #serve(call: Call): Promise<void> {
    if (!this.#calls.delete(call)) return;
    try {
      const answer = ANSWERS[call.method];
      if (!answer) throw new Error(`the model does not know ${call.method}`);
      call.answer(await answer(call.request, this));
    } catch (error) {
      call.fail(error);
    }
  }

  activityOf(token: Uint8Array | null | undefined): StartedActivity | undefined {
    return this.#activityOf(Buffer.from(token ?? []).toString());
  }
}
