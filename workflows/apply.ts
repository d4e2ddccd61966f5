import { defineUpdate, setHandler } from '@temporalio/workflow';
import type { AdmissionTerms } from '../activities/admit.ts';
import type { Revised } from '../activities/revise.ts';
import type { RequestCause } from '../contracts/ledger.ts';
import { UPDATES } from '../contracts/messages.ts';
import { isFinal } from '../contracts/status.ts';
import type { ApplyRequest, Phase } from '../contracts/types.ts';
import { isFields } from '../language/fields.ts';
import type { JobEvent } from '../machines/model/job-events.ts';
import { restoreRevision, revise } from './activity-options.ts';
import { closedFor, hasNothingToDisturb, refusedBy } from './amendments.ts';
import { type MadeFrom, madeFromApplied } from './applied-manifest.ts';
import { deferUntilSettled } from './deferred-update.ts';
import { causeOfFailure } from './effect-runner.ts';
import { intervention, type JobView, requesterOf, requestOf } from './interventions.ts';
import { refusedRequest } from './job-failures.ts';
import type { Ledger } from './ledger.ts';
import { requestFault } from './request-faults.ts';
import type { InTurn } from './turns.ts';

interface Host {
  readonly ledger: Pick<Ledger, 'refused' | 'note' | 'last'>;
  readonly inTurn: InTurn;
  view(): JobView;
  push(event: JobEvent): void;
  madeFrom(): MadeFrom;
  /** Replaces what the job is made from. */
  remake(madeFrom: MadeFrom): void;
}

/**
 * Accepts another manifest of the job: sizes, policy, limits, and whether it is suspended; a job without pods also gets other
 * templates. A refusal lists all faults, and the job stays as it is.
 */
export function acceptManifests(host: Host): void {
  setHandler(
    defineUpdate<ApplyAnswer, [ApplyRequest]>(UPDATES.apply),
    deferUntilSettled((asked) => host.inTurn(() => apply(host, asked))),
    {
      description: 'Make the job what a manifest says. Argument: {manifest, by, why}.',
      // What is refused here leaves no event in the history, and may be asked again under the same id.
      validator: (asked) => {
        const view = host.view();
        const why = view.position ? applyFault(asked) : closedFor(view);
        if (why && !isFinal(view.status.phase)) throw refusedRequest(why);
      },
    },
  );
}

function applyFault(asked: ApplyRequest): string | undefined {
  const fault = requestFault(asked, ['manifest', 'resource']);
  if (fault) return fault;
  return isFields(asked?.manifest) ? undefined : 'manifest: expected a manifest';
}

interface ApplyAnswer {
  readonly phase: Phase;
  /** Number of the revision that it made; absent if it made none. */
  readonly revision?: number;
}

interface Read {
  readonly found: Revised;
  readonly request: RequestCause;
}

async function apply(host: Host, asked: ApplyRequest): Promise<ApplyAnswer> {
  const { manifest, resource, by, why } = asked;
  const request = requestOf(UPDATES.apply, 'update', {
    ...{ by, why },
    ...(resource ? { generation: resource.generation } : {}),
  });
  const found = await untilRead(host, { asked, request });
  host.remake(madeFromApplied(admittedOf(host), { manifest, resource, planned: found.planned }));
  for (const event of eventsOf(asked, { found, request })) host.push(event);
  if (!found.planned && found.suspend === undefined) noteUnchanged(host, request);
  const { phase } = host.view().status;
  return found.planned ? { phase, revision: found.planned.revision.number } : { phase };
}

/** Reads the manifest again if the job was suspended, began to run or went on meanwhile: it then means something else. */
async function untilRead(
  host: Host,
  { asked, request }: { readonly asked: ApplyRequest; readonly request: RequestCause },
): Promise<Revised> {
  let isWritten = false;
  try {
    for (;;) {
      const why = refusalOf(host, asked);
      if (why) {
        host.ledger.refused(request, why);
        throw refusedRequest(why, { isOver: host.view().position?.context.outcome !== undefined });
      }
      const state = stateOf(host.view());
      host.remake({ ...host.madeFrom(), applying: asked.manifest });
      const found = await revise({ ...targetOf(host), ...state, ...resourceOf(asked) }).catch((error) => {
        host.ledger.refused(request, causeOfFailure(error).message);
        return refusedBy(error);
      });
      isWritten ||= found.planned !== undefined;
      const isSame = JSON.stringify(stateOf(host.view())) === JSON.stringify(state);
      if (isSame && !refusalOf(host, asked)) return found;
    }
  } catch (error) {
    host.remake({ ...host.madeFrom(), applying: undefined });
    // The anchor has it already, which matters as long as the watcher looks for something.
    const isOver = host.view().position?.context.outcome !== undefined;
    if (isWritten && !isOver) await restoreRevision(targetOf(host)).catch(() => undefined);
    throw error;
  }
}

const resourceOf = ({ resource }: ApplyRequest) => (resource ? { resource } : {});

function targetOf(host: Host) {
  const { anchorUid, clusterId } = admittedOf(host).terms;
  const { namespace, name } = host.view().position!.context.plan;
  return { namespace, name, anchorUid, clusterId };
}

const admittedOf = (host: Host) => host.madeFrom() as MadeFrom & { readonly terms: AdmissionTerms };

const stateOf = (view: JobView) => ({
  isSuspended: view.position!.context.suspension !== undefined,
  isRunning: !hasNothingToDisturb(view),
  gang: view.position!.context.gang,
});

/** A job follows its own resource only, and never back to what that said before. */
function refusalOf(host: Host, { resource }: ApplyRequest): string | undefined {
  const closed = closedFor(host.view());
  if (closed) return closed;
  const own = admittedOf(host).terms.settings.resource;
  if (!own)
    return (
      resource && 'resource: expected none, as the job was submitted and not made from a custom resource'
    );
  if (resource?.uid !== own.uid)
    return `the job was made from ${own.kind} ${own.uid}: it is changed by an edit of that (kubectl apply)`;
  return resource.generation < own.generation
    ? `generation ${resource.generation} of its resource is older than ${own.generation}, which the job follows already`
    : undefined;
}

/** A job that is to be suspended has its pods removed before it gets another revision, and is resumed after it. */
function eventsOf(asked: ApplyRequest, { found, request }: Read): readonly JobEvent[] {
  const at = Date.now();
  const { planned, suspend, changed } = found;
  const cause = intervention(`manifest applied (${changed.join(', ')})`, asked);
  const amendment = planned
    ? [
        {
          type: 'amend',
          ...planned,
          cause,
          request: { ...request, madeRevision: planned.revision.number },
          at,
        } as const,
      ]
    : [];
  if (suspend === undefined) return amendment;
  if (!suspend) return [...amendment, { type: 'resume', cause: intervention('resumed', asked), request, at }];
  const suspension = {
    reason: 'Suspended',
    ...intervention('suspended', asked),
    ...requesterOf(asked),
  } as const;
  return [{ type: 'suspend', cause: suspension, request, at }, ...amendment];
}

function noteUnchanged({ ledger }: Host, request: RequestCause): void {
  const message = 'the applied manifest says what the job is already';
  ledger.note({ ...ledger.last(), at: Date.now(), cause: request, message, minor: true });
}
