import { isDeepStrictEqual } from 'node:util';
import { followResource } from '../client/use-cases/apply/apply-resource.ts';
import { findJobOfResource, startJobOfResource } from '../client/use-cases/submit/job-of-resource.ts';
import { isAlreadyExists, isConflict, isGoneOrReplaced } from '../cluster/errors.ts';
import { formatFault } from '../contracts/faults.ts';
import { invalidReasonOf, type JobResource, type JobResourceStatus } from '../contracts/job-resources.ts';
import { EVENTS } from '../contracts/kubernetes.ts';
import type { NamedObject } from '../contracts/references.ts';
import type { BridgeTakes } from '../contracts/settings.ts';
import { isFinal } from '../contracts/status.ts';
import { ANSWER_MS } from '../contracts/timing.ts';
import type { OriginalOperator } from '../frameworks/kinds/original-operators.ts';
import { isFields } from '../language/fields.ts';
import { mergePatchBetween } from '../language/merge-patch.ts';
import type { LeaderTools } from '../leader/leader-process.ts';
import type { AnchoredJob, ShownStatus } from './anchored-job.ts';
import { applyAutoscaler } from './autoscaler.ts';
import { confirmedStep, firstStep, NAME_TAKEN, type NextStep, nextStep, type Shown } from './decide.ts';
import { Edits } from './edits.ts';
import { eventOf, type Notice, noticesOf } from './events.ts';
import { bridgeMetrics } from './metrics.ts';
import { findMissing, missingText } from './named-objects.ts';
import { readResource } from './read-resource.ts';
import { type ResourceFacts, resourceOfFacts } from './resource-facts.ts';
import { failedStatus, type Provenance, statusOfResource, waitingStatus } from './resource-status.ts';
import type { ResourceStore } from './resource-store.ts';
import { rivalOf } from './rivals.ts';
import {
  editNotTaken,
  editWaits,
  leftAlone,
  now,
  operatorRuns,
  refusalIn,
  unshownWarnings,
  warning,
} from './warnings.ts';
import type { WorkResult } from './work-queue.ts';

interface ReconcilerTools extends Pick<LeaderTools, 'temporal' | 'cluster' | 'home' | 'log'> {
  readonly taskQueue: string;
  readonly store: ResourceStore;
  /** Which resources it takes: all of its kinds, or those whose managedBy names signalbox. */
  readonly takes: BridgeTakes;
  /** The original operators that run now. */
  operators(): readonly OriginalOperator[];
}

type ReusePolicy = Parameters<typeof startJobOfResource>[1]['reusePolicy'];

/** Does what the decisions for a resource say. Holds nothing that the cluster or Temporal does not have as well. */
export class Reconciler {
  readonly #tools: ReconcilerTools;
  /** What the API server made of a status, by uid: a definition of another operator drops fields. */
  readonly #taken = new Map<string, { readonly wanted: unknown; readonly became: unknown }>();
  readonly #edits = new Edits();
  /** The runs that Temporal has named, by uid. */
  readonly #runs = new Map<string, string>();

  constructor(tools: ReconcilerTools) {
    this.#tools = tools;
  }

  forget(uid: string): void {
    this.#taken.delete(uid);
    this.#edits.forget(uid);
    this.#runs.delete(uid);
  }

  async reconcile(uid: string): Promise<WorkResult> {
    const resource = this.#tools.store.resource(uid);
    if (!resource) return 'done';
    try {
      const until = Date.now() + ANSWER_MS;
      return await this.#tools.temporal.withDeadline(until, () => this.#work(resource));
    } catch (error) {
      // A newer version of the resource is on its way, or its end.
      if (isConflict(error) || isGoneOrReplaced(error)) return 'later';
      bridgeMetrics.failures.inc();
      const { kind, namespace, name } = resource;
      this.#tools.log.warn({ err: error, kind, namespace, name }, 'a resource could not be served; retrying');
      return 'later';
    }
  }

  async #work(resource: ResourceFacts): Promise<WorkResult> {
    const { store, home } = this.#tools;
    const { uid } = resource;
    const anchor = store.anchorOf(resource);
    const knownRunId = this.#runs.get(uid);
    const decision = firstStep(resource, anchor, { installation: home.installation, knownRunId });
    switch (decision.is) {
      case 'nothing':
        return 'done';
      case 'observe':
        await this.#write(resource, { observedGeneration: resource.generation });
        return 'done';
      case 'confirm':
        return this.#confirm(resource, anchor!);
      case 'show':
        return this.#showJob(resource, decision);
      case 'lookUp':
        return this.#lookUp(resource);
    }
  }

  async #confirm(resource: ResourceFacts, anchor: AnchoredJob): Promise<WorkResult> {
    const job = await findJobOfResource(this.#tools.temporal, resource);
    if (job.is === 'open') this.#runs.set(resource.uid, job.runId);
    const step = confirmedStep(resource, anchor, job);
    if (step.is === 'show') return this.#showJob(resource, step);
    return step.is === 'later' ? 'later' : 'done';
  }

  /** Shows what the job says, and makes it what the resource says. */
  async #showJob(resource: ResourceFacts, shown: Shown): Promise<WorkResult> {
    const { status, runId, appliedGeneration, appliedAnnotations } = shown;
    await this.#show(resource, status, { runId, appliedGeneration, appliedAnnotations });
    const rival = isFinal(status.phase ?? '') ? undefined : this.#rivalOf(resource);
    if (rival) await this.#announce(resource, operatorRuns(rival, { ...resource, isRunning: true }));
    if (shown.isEdited) return this.#follow(resource, runId);
    this.#edits.inStep(resource.uid);
    await this.#autoscale(resource, status);
    return 'done';
  }

  #rivalOf = (resource: ResourceFacts) => rivalOf(this.#tools.operators(), resource);

  /** Nothing is written on a resource that another operator runs, but an event. */
  async #isLeft(resource: ResourceFacts): Promise<boolean> {
    if (resource.status.runId !== undefined) return false;
    if (this.#tools.takes === 'own' && !resource.isOwn) return true;
    const rival = this.#rivalOf(resource);
    if (rival) await this.#announce(resource, operatorRuns(rival, resource));
    return rival !== undefined;
  }

  async #lookUp(resource: ResourceFacts): Promise<WorkResult> {
    if (await this.#isLeft(resource)) return 'done';
    if (!resource.isDeleting && this.#isNameKept(resource)) return this.#showTaken(resource);
    // Most are new, as is their name: then Temporal need not be asked first.
    const begun = isNew(resource) ? await this.#start(resource, 'REJECT_DUPLICATE') : undefined;
    if (begun) return begun;
    const asked = findJobOfResource(this.#tools.temporal, resource);
    const found = await this.#answered(resource, asked);
    const next = nextStep(resource, found);
    if (next.is === 'nothing') return 'done';
    if (next.is === 'leaveAlone') {
      await this.#announce(resource, leftAlone());
      return 'done';
    }
    // Another start may be first. Which, is seen when Temporal is asked again.
    if (next.is === 'start') return (await this.#start(resource, 'ALLOW_DUPLICATE')) ?? 'later';
    if (next.status.cause?.reason === 'NameTaken') return this.#showTaken(resource);
    await this.#showNext(resource, next);
    return next.later ? 'unlessAdded' : 'done';
  }

  /** Whether a resource of another kind, which may have ended, still has pods or Services of this name. */
  #isNameKept({ uid, namespace, name }: ResourceFacts): boolean {
    const { store } = this.#tools;
    const hasAnchor = (other: string) => {
      const resource = store.resource(other);
      return resource && store.anchorOf(resource);
    };
    return store.named({ namespace, name }).some((other) => other !== uid && hasAnchor(other));
  }

  async #showTaken(resource: ResourceFacts): Promise<WorkResult> {
    await this.#announce(resource, warning('NameTaken', NAME_TAKEN.cause.message));
    const { runId, appliedGeneration } = resource.status;
    await this.#show(resource, NAME_TAKEN, { runId, appliedGeneration });
    // The end of a job whose anchor is there is seen by that.
    return this.#tools.store.isAnchored(resource) ? 'later' : 'soon';
  }

  /** Makes a live job what its resource says now: of many edits in a second, only the last. */
  async #follow(resource: ResourceFacts, runId: string | undefined): Promise<WorkResult> {
    const { temporal, log } = this.#tools;
    const { kind, namespace, name, uid } = resource;
    if (this.#edits.isTooEarly(uid, Date.now())) return 'later';
    const read = await readResource(this.#tools.cluster, resource);
    if (!read) return 'later';
    const { identity, resourceVersion, ...checked } = read;
    const step = this.#edits.next(identity, resourceVersion, Date.now());
    if (typeof step === 'string') return step === 'later' ? 'later' : 'done';
    const { key, updateId } = step;
    if ('faults' in checked) {
      await this.#announce(resource, editNotTaken(checked.faults.map(formatFault).join('; '), key));
      return 'done';
    }
    this.#edits.sent(uid, Date.now());
    const edited = { resource: identity, manifest: checked.manifest, runId, updateId };
    const answer = await followResource(temporal, edited).catch(async (error: unknown) => {
      await this.#announce(resource, editWaits(key));
      throw error;
    });
    const isSettled = this.#edits.answered(uid, answer, Date.now());
    log.info(
      { kind, namespace, name, uid, generation: identity.generation, answer },
      'an edit was passed on',
    );
    if (answer.is === 'refused') await this.#announce(resource, editNotTaken(answer.why, key));
    return isSettled ? 'done' : 'later';
  }

  /** A job that has ended scales no more. */
  async #autoscale(resource: ResourceFacts, { phase }: ShownStatus): Promise<void> {
    const { autoscaling, isDeleting } = resource;
    if (autoscaling === undefined || isDeleting) return;
    const wanted = isFinal(phase ?? '') ? 'none' : autoscaling;
    const notice = await applyAutoscaler(this.#tools.cluster, resource, wanted);
    if (notice) await this.#announce(resource, notice);
  }

  /**
   * Starts its job; undefined if another workflow has its name, or had it. The first status comes with the anchor: what is
   * written before would be outdated at once.
   */
  async #start(resource: ResourceFacts, reusePolicy: ReusePolicy): Promise<WorkResult | undefined> {
    const { temporal, taskQueue, log } = this.#tools;
    const { kind, namespace, name, uid } = resource;
    const read = await readResource(this.#tools.cluster, resource);
    if (!read) return 'later';
    const { identity, ...checked } = read;
    const { generation } = identity;
    if ('faults' in checked) {
      const message = checked.faults.map(formatFault).join('; ');
      await this.#announce(resource, warning(invalidReasonOf(kind), message, String(generation)));
      await this.#show(resource, failedStatus('InvalidManifest', message), { appliedGeneration: generation });
      return 'done';
    }
    const missing = await findMissing(this.#tools.cluster, checked.manifest);
    if (missing) return this.#awaitNamed(resource, missing);
    const start = { taskQueue, reusePolicy, resource: identity, manifest: checked.manifest };
    const runId = await this.#answered(resource, startJobOfResource(temporal, start));
    if (runId === undefined) return undefined;
    this.#runs.set(uid, runId);
    bridgeMetrics.started.inc();
    log.info({ kind, namespace, name, uid, runId }, 'started the job of a resource');
    return 'unlessAdded';
  }

  /** Files are applied in any order. */
  async #awaitNamed(resource: ResourceFacts, missing: NamedObject): Promise<WorkResult> {
    const message = missingText(missing);
    await this.#announce(resource, warning('ReferenceMissing', message));
    const { runId, appliedGeneration } = resource.status;
    await this.#show(resource, waitingStatus('ReferenceMissing', message), { runId, appliedGeneration });
    return 'later';
  }

  /** Returns what Temporal answers; if it does not, the resource says so. */
  async #answered<T>(resource: ResourceFacts, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      await this.#announce(resource, warning('TemporalAway', AWAY));
      const { runId, appliedGeneration } = resource.status;
      await this.#show(resource, waitingStatus('CreatingObjects', AWAY), { runId, appliedGeneration });
      throw error;
    }
  }

  #showNext = (resource: ResourceFacts, next: Extract<NextStep, { readonly is: 'show' }>) =>
    this.#show(resource, next.status, {
      runId: next.runId,
      appliedGeneration: next.appliedGeneration ?? resource.status.appliedGeneration,
    });

  /** Writes the status, and before it the events that are new, if the resource says anything else. */
  async #show(resource: ResourceFacts, job: ShownStatus, provenance: Provenance): Promise<void> {
    const { uid, status } = resource;
    const wanted = statusOfResource(resource, job, { ...provenance, at: now() });
    const patch = mergePatchBetween(status, wanted);
    const taken = this.#taken.get(uid);
    const isTaken = taken && isDeepStrictEqual(taken.became, status) && isSameStatus(taken.wanted, wanted);
    if (!patch || isTaken) return;
    const { since } = status;
    const notices = noticesOf(job, typeof since === 'string' ? since : undefined);
    await Promise.all(
      [...notices, ...refusalIn(job, status), ...unshownWarnings(wanted, status)].map((notice) =>
        this.#announce(resource, notice),
      ),
    );
    const written = await this.#write(resource, patch);
    const became = isFields(written.status) ? written.status : {};
    if (mergePatchBetween(became, wanted)) this.#taken.set(uid, { wanted, became });
    else this.#taken.delete(uid);
  }

  /** Refused if the resource has changed since. */
  #write(resource: ResourceFacts, status: object): Promise<JobResource> {
    const { uid, namespace, name, resourceVersion } = resource;
    const target = { namespace, name, subresource: 'status' } as const;
    const body = { metadata: { uid, resourceVersion }, status };
    return this.#tools.cluster.patch(resourceOfFacts(resource), target, body);
  }

  async #announce(resource: ResourceFacts, notice: Notice): Promise<void> {
    try {
      await this.#tools.cluster.create(EVENTS, eventOf(resource, notice));
    } catch (error) {
      // A namespace that is being deleted takes no events; a job does not depend on one.
      if (!isAlreadyExists(error)) this.#tools.log.debug({ err: error }, 'an event could not be written');
    }
  }
}

/** Nobody has written anything on it yet. */
const isNew = ({ status, isDeleting }: ResourceFacts) => !isDeleting && Object.keys(status).length === 0;

/** Times of conditions that are not on the resource yet are those of the moment. */
const isSameStatus = (one: unknown, other: unknown) =>
  JSON.stringify(withoutTimes(one)) === JSON.stringify(withoutTimes(other));

const withoutTimes = (status: unknown): unknown => {
  const { conditions = [], ...others } = status as JobResourceStatus;
  return {
    ...others,
    conditions: conditions.map(({ type, status: is, reason, message }) => ({ type, is, reason, message })),
  };
};

const AWAY = 'Temporal does not answer; the job starts when it does';
