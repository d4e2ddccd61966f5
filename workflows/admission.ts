import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  ContinueAsNew,
  condition,
  workflowInfo,
} from '@temporalio/workflow';
import type { Begun } from '../activities/first-effects.ts';
import { DEFAULT_POLICY } from '../contracts/policy.ts';
import type { PassingRefusal } from '../contracts/refusals.ts';
import type { JobOutcome } from '../contracts/status.ts';
import type { Cause, JobStatus } from '../contracts/types.ts';
import { timeOf } from '../language/time.ts';
import type { JobEvent } from '../machines/model/job-events.ts';
import { policyRule } from '../machines/model/policy.ts';
import { ledgerCause } from '../machines/report/ledger-cause.ts';
import { withEntry } from '../machines/report/timeline.ts';
import { admit, admitStopped } from './activity-options.ts';
import { admitWhenNameIsFree } from './await-name.ts';
import { outcomeBeforeAdmission, statusBeforeAdmission } from './before-admission.ts';
import { wasCancelled } from './cancellation.ts';
import { beginAnew } from './continue-as-new.ts';
import { causeOfFailure } from './effect-runner.ts';
import type { Inbox } from './inbox.ts';
import { failedWith, invalidManifest } from './job-failures.ts';
import { recordLateRequests } from './late-requests.ts';
import type { Ledger } from './ledger.ts';
import { ADMISSION_FAILED, editedEntry, endedEntry, waitingEntry } from './ledger-before-admission.ts';
import { retryWhileRefused } from './refusals.ts';
import { refuseRepeatedStart } from './repeated-start.ts';
import type { ScheduledStart } from './scheduled-start.ts';

/** A job that is not admitted yet. */
interface Candidate {
  readonly manifest: unknown;
  readonly scheduled: ScheduledStart | undefined;
  readonly inbox: Inbox;
  readonly ledger: Ledger;
  /** Publishes the job's status. */
  announce(status: JobStatus): void;
}

/** Returns undefined if the job was stopped first, and has nothing: an unresponsive cluster must not block that. */
export async function admitted({
  manifest,
  scheduled,
  inbox,
  ledger,
  announce,
}: Candidate): Promise<Begun | undefined> {
  const { workflowId, firstExecutionRunId, historyLength } = workflowInfo();
  const request = {
    workflowId,
    firstRunId: firstExecutionRunId,
    ...(scheduled ? { scheduledAt: scheduled.at.toISOString() } : {}),
  };
  const scope = new CancellationScope({ cancellable: true });
  let isOver = false;
  void condition(() => inbox.queuedStop() !== undefined).then(() => {
    if (isOver) return;
    // The outcome is decided: the client that submits under this name waits for it, and is not refused.
    announce({ ...statusBeforeAdmission(manifest), ...STOPPING, cause: inbox.queuedStop()?.cause });
    scope.cancel();
  });
  try {
    refuseRepeatedStart();
    const status = statusBeforeAdmission(manifest);
    let { timeline } = status;
    const report = (cause: Cause) => {
      if (ledger.last().reason !== cause.reason) {
        const entry = waitingEntry(status, cause);
        ledger.note(entry);
        timeline = withEntry(timeline, entry);
      }
      announce({ ...status, cause, timeline });
    };
    const refused = refusalReporter(report);
    const tried = (waitedMs: number) => retryWhileRefused(() => admit({ ...request, waitedMs }), { refused });
    const answer = await scope.run(() => admitWhenNameIsFree(tried, report));
    if ('plan' in answer) return answer;
    ledger.note(editedEntry(ledger.last(), answer.edited.resource.generation));
    await condition(allHandlersFinished);
    if (inbox.queuedStop()) return undefined;
    return await beginAnew(answer.edited, { ledger: ledger.book(), events: inbox.takeAll() });
  } catch (error) {
    // Within one workflow task, the activity is cancelled before Temporal knows it.
    if (error instanceof ContinueAsNew) throw error;
    const isBegun = error instanceof ActivityFailure && workflowInfo().historyLength > historyLength;
    if (wasCancelled(error)) return isBegun ? leftBehind(request) : undefined;
    const cause = causeOfFailure(error);
    const outcome = outcomeBeforeAdmission(manifest, 'Failed', cause);
    recordLateRequests(ledger, inbox.takeAll(), { status: statusBeforeAdmission(manifest) });
    ledger.note(endedEntry(outcome, ADMISSION_FAILED));
    announce(outcome);
    if (cause.reason !== 'InvalidManifest') throw failedWith(outcome);
    const [faults] = (error as { cause?: ApplicationFailure }).cause?.details ?? [];
    throw invalidManifest(faults, outcome);
  } finally {
    isOver = true;
  }
}

const STOPPING = { phase: 'Stopped', state: 'Finishing.CleaningUp' } as const;

/**
 * Admits a job that was stopped during its admission, so that it is cleaned up: the worker may have died when it had
 * created pods. Returns undefined if that is not possible soon; then the watcher has them cleaned up.
 */
const leftBehind = (request: Parameters<typeof admitStopped>[0]): Promise<Begun | undefined> =>
  admitStopped({ ...request, isStopped: true }).then(
    (answer) => ('plan' in answer ? answer : undefined),
    () => undefined,
  );

/** Reports refusals until the job has an anchor. Gives up at the policy's limit. */
function refusalReporter(report: (cause: Cause) => void) {
  let since: number | undefined;
  return ({ reason, message, isLimited, limitMs }: PassingRefusal): void => {
    since = isLimited ? (since ?? Date.now()) : undefined;
    const { failAfterMs } = DEFAULT_POLICY.refusals;
    const until = since === undefined ? undefined : since + (limitMs ?? failAfterMs);
    if (until !== undefined && Date.now() >= until)
      throw refusedTooLong(`${reason}: ${message}`, until - since!);
    const limit = until === undefined ? '' : ` until ${timeOf(until)}`;
    report({ reason, message: `${message}; retrying${limit}` });
  };
}

function refusedTooLong(said: string, limitMs: number): ApplicationFailure {
  const rule = policyRule('refusals.failAfter', `${limitMs / 1000}s`);
  return ApplicationFailure.nonRetryable(`refused for too long; ${said}; ${rule}`, 'ClusterRefused');
}

/** The orphan clean-up removes what the activity may have claimed by then. */
export function stoppedBeforeAdmission({ manifest, inbox, ledger, announce }: Candidate): JobOutcome {
  const status = statusBeforeAdmission(manifest);
  const events = inbox.takeAll();
  const decisive = events.findIndex((event) => event.type === 'stop');
  const stop = events[decisive] as Extract<JobEvent, { readonly type: 'stop' }>;
  const outcome = outcomeBeforeAdmission(manifest, 'Stopped', stop.cause);
  recordLateRequests(ledger, events.slice(0, decisive), { status });
  ledger.note(endedEntry(outcome, ledgerCause(stop), stop.at));
  recordLateRequests(ledger, events.slice(decisive + 1), { status: outcome });
  announce(outcome);
  return outcome;
}
