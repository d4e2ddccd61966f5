import { TypedSearchAttributes, type Workflow } from '@temporalio/common';
import type { WorkflowInfo } from '@temporalio/workflow';
import { maybeGetActivator, setActivator } from '@temporalio/workflow/lib/global-attributes.js';
import { Activator } from '@temporalio/workflow/lib/internals.js';
import {
  activate,
  concludeActivation,
  initialize,
  tryUnblockConditions,
} from '@temporalio/workflow/lib/worker-interface.js';
import type { ShowStatusRequest } from '../../activities/record-status.ts';
import type { ReturnQuotaRequest } from '../../activities/return-quota.ts';
import { fillInAsyncLocalStorage } from './async-local-storage.ts';
import { type Command, type Job, jobOf, type RunInput, startOf } from './workflow-messages.ts';

fillInAsyncLocalStorage();

const realNow = Date.now;
/** Returns the time of the activation to workflow code, as in the sandbox. */
Date.now = () => maybeGetActivator()?.now ?? realNow();

/** What an activation contains beside its jobs. */
export interface Moment {
  readonly now: number;
  readonly history: Partial<WorkflowInfo>;
}

/** A counter's increment, or an observation of a histogram. */
export interface RecordedMetric {
  readonly name: string;
  readonly value: number;
  readonly tags: Readonly<Record<string, unknown>>;
}

/**
 * Runs one workflow run on the SDK's own runtime, without the worker's sandbox. Like the worker's `vm-shared.js` it first
 * runs all jobs of an activation, then promises and conditions in turn until nothing changes.
 */
export class WorkflowRuntime {
  readonly #activator: Activator;
  readonly #shown: ShowStatusRequest[] = [];
  /** For which pods that have ended the run has given back quota. */
  readonly returned: ReturnQuotaRequest[] = [];
  /** What the run has recorded on the SDK's meter. */
  readonly metrics: RecordedMetric[] = [];

  constructor(workflow: Workflow, now: number) {
    this.#activator = activatorAt(now);
    this.#activator.workflow = workflow;
  }

  /** Returns the jobs of the first activation. */
  initialize(input: RunInput): Job[] {
    const initializeWorkflow = startOf(input);
    setActivator(this.#activator);
    this.#activator.mutateWorkflowInfo((info) => ({ ...info, ...input.info }));
    initialize(initializeWorkflow);
    return [jobOf({ initializeWorkflow })];
  }

  /** `work` runs after the jobs. */
  async activate(jobs: Job[], { now, history }: Moment, work: () => void): Promise<readonly Command[]> {
    setActivator(this.#activator);
    this.#activator.now = now;
    this.#activator.mutateWorkflowInfo((info) => ({ ...info, ...history }));
    try {
      activate({ jobs });
      work();
      do await settlePromises();
      while (tryUnblockConditions() > 0);
      const calls = this.#activator.getAndResetSinkCalls();
      this.#shown.push(...handedTo<ShowStatusRequest>(calls, 'status'));
      this.returned.push(...handedTo<ReturnQuotaRequest>(calls, 'quota'));
      this.metrics.push(...metricsIn(calls));
      return concludeActivation().successful?.commands ?? [];
    } finally {
      // Other test files of this process have the real time.
      setActivator(undefined);
    }
  }

  /** Returns what the workflow has shown since it was asked last. */
  takeShown(): readonly ShowStatusRequest[] {
    return this.#shown.splice(0);
  }

  get info(): WorkflowInfo {
    return this.#activator.info;
  }

  get details(): string {
    return this.#activator.currentDetails;
  }
}

type SinkCalls = ReturnType<Activator['getAndResetSinkCalls']>;

const handedTo = <Request>(calls: SinkCalls, sink: string): readonly Request[] =>
  calls.filter(({ ifaceName }) => ifaceName === sink).map(({ args }) => args[0] as Request);

const metricsIn = (calls: SinkCalls): readonly RecordedMetric[] =>
  calls
    .filter(({ fnName }) => fnName === 'addMetricCounterValue' || fnName === 'recordMetricHistogramValue')
    .map(({ args }) => {
      const [value, tags] = args.slice(-2) as [number, RecordedMetric['tags']];
      return { name: String(args[0]), value, tags };
    });

/** Runs all promise callbacks that are due. */
const settlePromises = () => new Promise((resolve) => setImmediate(resolve));

function activatorAt(now: number): Activator {
  return new Activator({
    info: infoAt(now),
    now,
    randomnessSeed: [1],
    registeredActivityNames: new Set(),
    showStackTraceSources: false,
    stackTracesEnabled: false,
    sourceMap: { version: 3, sources: [], names: [], mappings: '' } as never,
    getTimeOfDay: () => 0n,
  });
}

const infoAt = (now: number): WorkflowInfo => ({
  workflowId: 'job/ml/resnet',
  runId: 'run-1',
  firstExecutionRunId: 'run-1',
  originalExecutionRunId: 'run-1',
  workflowType: 'workflow',
  taskQueue: 'signalbox',
  namespace: 'default',
  searchAttributes: {},
  typedSearchAttributes: new TypedSearchAttributes(),
  startTime: new Date(now),
  runStartTime: new Date(now),
  taskTimeoutMs: 10_000,
  attempt: 1,
  historyLength: 3,
  historySize: 0,
  continueAsNewSuggested: false,
  targetWorkerDeploymentVersionChanged: false,
  unsafe: {
    now: realNow,
    isReplaying: false,
    isReplayingHistoryEvents: false,
    random: { random: () => 0 } as never,
  },
});
