import { ActivityFailure, ApplicationFailure, defineUpdate, setHandler } from '@temporalio/workflow';
import type { AdmissionTerms } from '../activities/admit.ts';
import type { RequestCause } from '../contracts/ledger.ts';
import { UPDATES } from '../contracts/messages.ts';
import { findRole } from '../contracts/roles.ts';
import { cannotGrowText, cannotScaleText } from '../contracts/scaling.ts';
import { givesQuota } from '../contracts/training-job.ts';
import type { AmendRequest, JobStatus, Phase, ScaleRequest } from '../contracts/types.ts';
import { isFields } from '../language/fields.ts';
import type { InterventionCause, JobEvent } from '../machines/model/job-events.ts';
import { jobPolicy } from '../machines/model/policy.ts';
import { amend, restoreRevision } from './activity-options.ts';
import { deferUntilSettled } from './deferred-update.ts';
import { causeOfFailure } from './effect-runner.ts';
import { intervention, type JobView, requestOf } from './interventions.ts';
import { refusedRequest, withoutStack } from './job-failures.ts';
import type { Ledger } from './ledger.ts';
import { requestFault } from './request-faults.ts';
import type { InTurn } from './turns.ts';

type Changes = Pick<Parameters<typeof amend>[0], 'replicas' | 'policy'>;

interface Host {
  readonly ledger: Pick<Ledger, 'refused'>;
  readonly inTurn: InTurn;
  view(): JobView;
  push(event: JobEvent): void;
  /** Requires an admitted job. */
  terms(): AdmissionTerms;
}

/** Accepts scaling and policy changes. A refusal lists every error that the change would cause. */
export function acceptAmendments(host: Host): void {
  setHandler(
    defineUpdate<{ phase: Phase }, [ScaleRequest]>(UPDATES.scale),
    deferUntilSettled((asked) => {
      const request = requestOf(UPDATES.scale, 'update', asked);
      const refusal = () => scaleRefusal(host.view(), asked);
      refuse(host, request, refusal());
      const cause = scaledCause(asked);
      return host.inTurn(() => apply(host, { changes: scaled(host, asked), cause, request, refusal }));
    }),
    {
      description: 'Change the number of a role’s replicas. Argument: {role, replicas, by, why}.',
      validator: (asked) => misunderstood(host.view(), scaleFault(asked)),
    },
  );
  setHandler(
    defineUpdate<{ phase: Phase }, [AmendRequest]>(UPDATES.amendPolicy),
    deferUntilSettled((asked) => {
      const request = requestOf(UPDATES.amendPolicy, 'update', asked);
      const refusal = () => closedFor(host.view());
      refuse(host, request, refusal());
      const cause = amendedCause(asked);
      return host.inTurn(() => apply(host, { changes: { policy: asked.policy }, cause, request, refusal }));
    }),
    {
      description: 'Change part of the job’s policy by a JSON merge patch. Argument: {policy, by, why}.',
      validator: (asked) => misunderstood(host.view(), policyFault(asked)),
    },
  );
}

const scaledCause = (asked: ScaleRequest) => intervention(`${asked.role} scaled to ${asked.replicas}`, asked);

const amendedCause = (asked: AmendRequest) =>
  intervention(`policy changed (${Object.keys(asked.policy).join(', ')})`, asked);

/** Uses the role's own spelling, whatever the request's. */
const scaled = (host: Host, { role, replicas }: ScaleRequest): Changes => ({
  replicas: { [askedRole(host.view(), role)?.name ?? role]: replicas },
});

interface Amendment {
  readonly changes: Changes;
  readonly cause: InterventionCause;
  readonly request: RequestCause;
  /** Returns why it is no longer possible: the job continues, or ends, while its manifest is parsed. */
  readonly refusal: () => string | undefined;
}

async function apply(host: Host, { changes, cause, request, refusal }: Amendment): Promise<{ phase: Phase }> {
  const { anchorUid, clusterId } = host.terms();
  const { plan, gang } = host.view().position!.context;
  const { namespace, name } = plan;
  const amended = await amend({ namespace, name, anchorUid, clusterId, gang, ...changes }).catch((error) => {
    host.ledger.refused(request, causeOfFailure(error).message);
    return refusedBy(error);
  });
  try {
    refuse(host, request, refusal());
  } catch (error) {
    // The anchor has it already, which matters as long as the watcher looks for something.
    const isOver = host.view().position?.context.outcome !== undefined;
    if (!isOver) await restoreRevision({ namespace, name, anchorUid, clusterId }).catch(() => undefined);
    throw error;
  }
  const madeRevision = amended.revision.number;
  host.push({ type: 'amend', ...amended, cause, request: { ...request, madeRevision }, at: Date.now() });
  return { phase: host.view().status.phase };
}

/** Returns the errors to the caller; the job continues unchanged. */
export function refusedBy(error: unknown): never {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure)) throw error;
  const { message, type, details } = cause;
  throw withoutStack(ApplicationFailure.nonRetryable(message, type ?? undefined, ...(details ?? [])));
}

/** Malformed requests are refused before Temporal records them. */
function misunderstood(view: JobView, fault: string | undefined): void {
  if (fault && !closedFor(view)) throw refusedRequest(fault);
}

function refuse({ view, ledger }: Host, request: RequestCause, why: string | undefined): void {
  if (!why) return;
  ledger.refused(request, why);
  throw refusedRequest(why, { isOver: view().position?.context.outcome !== undefined });
}

function scaleFault(asked: ScaleRequest): string | undefined {
  const { replicas } = asked ?? {};
  const fault = requestFault(asked, ['role', 'replicas']);
  if (fault || (Number.isInteger(replicas) && replicas >= 0)) return fault;
  return `replicas: expected an integer >= 0, got ${JSON.stringify(replicas) ?? 'nothing'}`;
}

function scaleRefusal(view: JobView, asked: ScaleRequest): string | undefined {
  const { role } = asked;
  const closed = closedFor(view);
  if (closed) return closed;
  const found = askedRole(view, role);
  const { plan } = view.position!.context;
  if (!found) {
    const names = plan.roles.map(({ name }) => name).join(', ');
    return `role: expected one of ${names}, got ${JSON.stringify(role) ?? 'nothing'}`;
  }
  return liveRefusal(view, asked);
}

/** Returns why a role cannot scale now; undefined if it can, or if nothing runs that a restart could disturb. */
function liveRefusal(view: JobView, { role, replicas }: ScaleRequest): string | undefined {
  const found = askedRole(view, role);
  const { context } = view.position!;
  if (!found || jobPolicy(context).scaleByRestart || hasNothingToDisturb(view)) return undefined;
  if (!found.scales) return cannotScaleText(found.name, context.plan.kind);
  return givesQuota(context.gang) && replicas > found.replicas ? cannotGrowText(found.name) : undefined;
}

/** A job before its first start, without pods, or whose pods are all being deleted starts with the new sizes anyway. */
export const hasNothingToDisturb = ({ status, position }: JobView): boolean =>
  status.phase === 'Suspended' ||
  position?.tags.has('restartsGang') ||
  (status.phase === 'Pending' && !hasRun(status));

const hasRun = ({ timeline, attempt }: JobStatus) =>
  timeline.some((entry) => entry.attempt === attempt && entry.phase === 'Running');

const policyFault = (asked: AmendRequest): string | undefined =>
  requestFault(asked, ['policy']) ??
  (isFields(asked?.policy) ? undefined : 'policy: expected an object that is part of a policy document');

export function closedFor({ status, position }: JobView): string | undefined {
  if (!position) return 'the job has not been admitted yet';
  return position.context.outcome ? `the outcome of the job is already decided: ${status.state}` : undefined;
}

const askedRole = ({ position }: JobView, role: unknown) =>
  findRole(position?.context.plan.roles ?? [], String(role));
