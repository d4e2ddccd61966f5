import { ApplicationFailure } from '@temporalio/common';
import {
  ChildWorkflowCancellationType,
  type ChildWorkflowOptions,
  ParentClosePolicy,
  type WorkflowInfo,
} from '@temporalio/workflow';
import type { Manifest } from '../../client/manifests/named-manifest.ts';
import { namedManifest } from '../../client/manifests/named-manifest.ts';
import { formatFault } from '../../contracts/faults.ts';
import { workflowIdOf } from '../../contracts/labels.ts';
import { DEFAULT_TASK_QUEUE, INVALID_MANIFEST, MEMO } from '../../contracts/messages.ts';
import type { Fault } from '../../contracts/types.ts';

/** How a workflow runs a training job.
 * @public
 */
export interface TrainingJobOptions {
  /** Kubernetes namespace of a job whose manifest has none; default: `default`. */
  readonly namespace?: string;
  /** Task queue of signalbox's workers; default: `signalbox`. */
  readonly taskQueue?: string;
  /** Default: `job/NAMESPACE/NAME`. */
  readonly workflowId?: string;
  /**
   * Names this step among those of your workflow. A later run of the same workflow, e.g. a retry, finds the job by it.
   * Choose another one where the same job is to run again on purpose.
   */
  readonly key?: string;
  /** Whether a job that is stopped because your workflow was cancelled saves a checkpoint first; default: no. */
  readonly checkpoint?: boolean;
  /**
   * What becomes of the job when your workflow closes without waiting for it, e.g. because it was terminated. `stop`,
   * the default, stops the job and removes its pods; `continue` leaves it alone.
   */
  readonly onParentClose?: 'stop' | 'continue';
  /** Why the job is run; recorded. */
  readonly why?: string;
}

/** A job to run, and how. */
export interface TrainingStep extends Omit<TrainingJobOptions, 'namespace'> {
  /** The key of the submission. It contains the caller's run, because other workflows may choose the same key. */
  readonly key?: string;
  /** Who submits and stops the job. */
  readonly caller: string;
  readonly manifest: Manifest;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly workflowId: string;
  readonly taskQueue: string;
}

/** Throws a failure with the faults of a manifest that has no name to run under. The job's own admission checks the rest. */
export function trainingStep(
  manifest: object,
  options: TrainingJobOptions,
  caller: Pick<WorkflowInfo, 'workflowId' | 'firstExecutionRunId'>,
): TrainingStep {
  const named = namedManifest(manifest, options.namespace ?? 'default');
  if ('faults' in named) throw invalidManifest(named.faults);
  const { kind, metadata } = named.manifest;
  const job = { name: metadata.name, namespace: metadata.namespace };
  return {
    ...options,
    ...job,
    ...(options.key === undefined ? {} : { key: keyOfStep(caller, options.key) }),
    caller: `workflow ${caller.workflowId}`,
    kind,
    manifest: named.manifest,
    workflowId: options.workflowId ?? workflowIdOf(job),
    taskQueue: options.taskQueue ?? DEFAULT_TASK_QUEUE,
  };
}

/** Retries, and runs that continue as new, share the first run. */
const keyOfStep = ({ workflowId, firstExecutionRunId }: Parameters<typeof trainingStep>[2], key: string) =>
  `${workflowId}/${firstExecutionRunId}/${key}`;

function invalidManifest(faults: readonly Fault[]): ApplicationFailure {
  const message = `The manifest has errors: ${faults.map(formatFault).join('; ')}`;
  return ApplicationFailure.nonRetryable(message, INVALID_MANIFEST, faults);
}

/** Temporal's defaults would terminate the job with its parent, and leave its pods behind. */
export function childOptions(step: TrainingStep): ChildWorkflowOptions & { args: unknown[] } {
  const { kind, namespace, name, key, why, caller } = step;
  return {
    args: [step.manifest],
    workflowId: step.workflowId,
    taskQueue: step.taskQueue,
    parentClosePolicy:
      step.onParentClose === 'continue' ? ParentClosePolicy.ABANDON : ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    memo: {
      [MEMO.submittedBy]: caller,
      ...(key === undefined ? {} : { [MEMO.key]: key }),
      ...(why === undefined ? {} : { [MEMO.why]: why }),
    },
    staticSummary: `${kind} ${namespace}/${name}`,
  };
}
