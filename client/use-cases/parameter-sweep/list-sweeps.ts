import type { WorkflowExecutionInfo } from '@temporalio/client';
import { MEMO } from '../../../contracts/messages.ts';
import {
  PARAMETER_SWEEP,
  parameterSweepIdOf,
  parameterSweepOf,
  type SweepCounts,
} from '../../../contracts/parameter-sweep.ts';
import { isFinal } from '../../../contracts/status.ts';
import { quoted } from '../../../contracts/visibility-query.ts';
import { isOpen } from '../../../temporal/open-workflows.ts';
import { eachTranslated } from '../../servers/ask.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import { eachWorkflow } from '../../servers/each-workflow.ts';
import type { TemporalPort } from '../../servers/ports.ts';

/**
 * Which sweeps to list.
 *
 * @public
 */
export interface SweepFilter {
  /** Default: all namespaces. */
  readonly namespace?: string;
  /** List at most this many. */
  readonly limit?: number;
}

/**
 * A sweep as Temporal has it on record.
 *
 * @public
 */
export interface ListedSweep extends SweepCounts {
  readonly workflowId: string;
  readonly runId: string;
  /** RFC 3339. */
  readonly startTime: string;
  readonly endTime?: string;
}

const MOST_IN_A_PAGE = 500;

/** Yields sweeps: live ones first, newest first in each group. Needs no worker. */
export const listSweeps = (
  ports: TemporalPort,
  { namespace, limit = Number.POSITIVE_INFINITY }: SweepFilter,
  options: CallOptions,
): AsyncGenerator<ListedSweep> =>
  eachTranslated({ ports, workflowId: '' }, async function* () {
    const ofType = `WorkflowType = ${quoted(PARAMETER_SWEEP)} AND ExecutionStatus != 'ContinuedAsNew'`;
    const ofNamespace = `WorkflowId STARTS_WITH ${quoted(parameterSweepIdOf({ namespace: namespace ?? '', name: '' }))}`;
    const query = namespace === undefined ? ofType : `${ofType} AND ${ofNamespace}`;
    let left = limit;
    if (left < 1) return;
    const pageSize = Math.min(limit, MOST_IN_A_PAGE);
    for await (const info of eachWorkflow(ports, { query, pageSize, options })) {
      const sweep = listedSweep(info);
      if (!sweep) continue;
      yield sweep;
      left -= 1;
      if (left < 1) return;
    }
  });

/** Nothing, if the workflow has another id than a sweep. */
function listedSweep(info: WorkflowExecutionInfo): ListedSweep | undefined {
  const counts = recordedCounts(info);
  return (
    counts && {
      ...counts,
      ...{ workflowId: info.workflowId, runId: info.runId, startTime: info.startTime.toISOString() },
      ...(info.closeTime ? { endTime: info.closeTime.toISOString() } : {}),
    }
  );
}

/** Returns what the last round of a sweep recorded. */
export function recordedCounts({
  workflowId,
  status,
  memo,
}: Pick<WorkflowExecutionInfo, 'workflowId' | 'status' | 'memo'>): SweepCounts | undefined {
  const named = parameterSweepOf(workflowId);
  if (!named) return undefined;
  const recorded: SweepCounts = {
    ...NOTHING_YET,
    ...(memo?.[MEMO.sweep] as Partial<SweepCounts> | undefined),
    ...named,
  };
  if (isOpen(status.name) || isFinal(recorded.phase)) return recorded;
  return { ...recorded, phase: status.name === 'FAILED' ? 'Failed' : 'Stopped' };
}

/** Of a sweep that no client of ours has started, and no worker has taken up. */
const NOTHING_YET: Omit<SweepCounts, 'name' | 'namespace'> = {
  ...{ phase: 'Running', trials: 0, atMost: 0, waiting: 0, running: 0 },
  ...{ completed: 0, failed: 0, stopped: 0, refused: 0 },
};
