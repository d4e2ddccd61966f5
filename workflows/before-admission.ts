import { workflowInfo } from '@temporalio/workflow';
import type { FinalPhase, JobOutcome } from '../contracts/status.ts';
import type { Cause, JobStatus } from '../contracts/types.ts';
import { asFields } from '../language/fields.ts';
import { truncate } from '../language/shorten.ts';
import { timeOf } from '../language/time.ts';
import { withRemedy } from './with-remedy.ts';

/** Returns the status of a job whose manifest has not been parsed yet. */
export function statusBeforeAdmission(manifest: unknown): JobStatus {
  const { kind, metadata } = asFields(manifest);
  const { name, namespace } = asFields(metadata);
  const phase = 'Pending';
  const state = 'Pending.Admitting';
  const message = 'the manifest is being checked and the name claimed';
  const at = timeOf(workflowInfo().startTime.getTime());
  return {
    kind: wordOf(kind),
    name: wordOf(name),
    namespace: wordOf(namespace) || 'default',
    phase,
    state,
    since: at,
    attempt: 1,
    restarts: 0,
    cause: { reason: 'CreatingObjects', message },
    conditions: [],
    replicaStatuses: {},
    warnings: [],
    timeline: [{ at, phase, state, attempt: 1, cause: message }],
  };
}

/** Returns the outcome of a job that ended before it was admitted. */
export function outcomeBeforeAdmission(
  manifest: unknown,
  phase: FinalPhase,
  cause: Cause | undefined,
): JobOutcome {
  const before = statusBeforeAdmission(manifest);
  const at = timeOf(Date.now());
  const end = { at, phase, state: phase, attempt: 1, cause: cause?.message ?? phase };
  return withRemedy({
    ...before,
    phase,
    state: phase,
    since: at,
    cause,
    completionTime: at,
    timeline: [...before.timeline, end],
  });
}

/** Kubernetes names are no longer than this. Temporal limits values to 2 KiB, and SQL stores no control characters. */
const LONGEST = 253;

const wordOf = (value: unknown) =>
  typeof value === 'string' ? truncate(value.replaceAll(/\p{Cc}/gu, ''), LONGEST) : '';
