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

/**
 * Runs one workflow run on the SDK's own runtime, without the worker's sandbox. Like the worker's `vm-shared.js` it first
 * runs all jobs of an activation, then promises and conditions in turn until nothing changes.
 */
export class WorkflowRuntime {
  readonly #activator: Activator;
  readonly #shown: ShowStatusRequest[] = [];

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
      this.#shown.push(...shownIn(this.#activator));
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

const shownIn = (activator: Activator): readonly ShowStatusRequest[] =>
  activator
    .getAndResetSinkCalls()
    .filter(({ ifaceName }) => ifaceName === 'status')
    .map(({ args }) => args[0] as ShowStatusRequest);

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
