import { isDeepStrictEqual } from 'node:util';
import { InvalidManifestError } from '../client/errors/errors.ts';
import { checkedManifest } from '../client/manifests/checked-manifest.ts';
import type { Manifest } from '../client/manifests/named-manifest.ts';
import { validateManifest } from '../client/manifests/offline/validate.ts';
import { findJobOfResource, startJobOfResource } from '../client/use-cases/submit/job-of-resource.ts';
import { isAlreadyExists, isConflict, isGoneOrReplaced } from '../cluster/errors.ts';
import { type Fault, formatFault } from '../contracts/faults.ts';
import { type JobResourceStatus, manifestOfResource } from '../contracts/job-resources.ts';
import { EVENTS } from '../contracts/kubernetes.ts';
import { isFinal } from '../contracts/status.ts';
import type { ElectedTools } from '../elected/elected-process.ts';
import { isFields } from '../language/fields.ts';
import { mergePatchBetween } from '../language/merge-patch.ts';
import type { ShownStatus } from './anchored-job.ts';
import { ADMITTING, firstStep, NAME_TAKEN, type NextStep, nextStep } from './decide.ts';
import { eventOf, type Notice, noticesOf } from './events.ts';
import { bridgeMetrics } from './metrics.ts';
import { type ResourceFacts, resourceOfFacts } from './resource-facts.ts';
import { failedStatus, type Provenance, statusOfResource, waitingStatus } from './resource-status.ts';
import type { ResourceStore } from './resource-store.ts';
import type { WorkResult } from './work-queue.ts';

export interface ReconcilerTools extends Pick<ElectedTools, 'temporal' | 'cluster' | 'home' | 'log'> {
  readonly taskQueue: string;
  readonly store: ResourceStore;
}

/** How long Temporal may take to answer. */
const ANSWER_MS = 10_000;

/** Does what the decisions for a resource say. Holds nothing that the cluster or Temporal does not have as well. */
export class Reconciler {
  readonly #tools: ReconcilerTools;
  /** What the API server made of a status, by uid: a definition of another operator drops fields. */
  readonly #taken = new Map<string, { readonly wanted: unknown; readonly became: unknown }>();

  constructor(tools: ReconcilerTools) {
    this.#tools = tools;
  }

  forget(uid: string): void {
    this.#taken.delete(uid);
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
    const decision = firstStep(resource, store.anchorOf(resource.uid), home.installation);
    if (decision.is === 'nothing') return 'done';
    if (decision.is === 'show') {
      const isLive = !isFinal(decision.status.phase ?? '');
      if (decision.isEdited && isLive) await this.#announce(resource, editNotTaken(resource));
      const { status, runId, appliedGeneration } = decision;
      await this.#show(resource, status, { runId, appliedGeneration });
      return 'done';
    }
    return this.#lookUp(resource);
  }

  async #lookUp(resource: ResourceFacts): Promise<WorkResult> {
    if (this.#isNameKept(resource)) return this.#showTaken(resource);
    const asked = findJobOfResource(this.#tools.temporal, resource);
    const found = await this.#answered(resource, asked);
    const next = nextStep(resource, found);
    if (next.is === 'leaveAlone') {
      await this.#announce(resource, leftAlone());
      return 'done';
    }
    if (next.is === 'start') return this.#start(resource);
    if (next.status.cause?.reason === 'NameTaken') return this.#showTaken(resource);
    await this.#showNext(resource, next);
    return next.later ? 'later' : 'done';
  }

  /** Whether a resource of another kind, which may have ended, still has pods or Services of this name. */
  #isNameKept({ uid, namespace, name }: ResourceFacts): boolean {
    const { store } = this.#tools;
    return store.named({ namespace, name }).some((other) => other !== uid && store.anchorOf(other));
  }

  async #showTaken(resource: ResourceFacts): Promise<WorkResult> {
    await this.#announce(resource, warning('NameTaken', NAME_TAKEN.cause.message));
    const { runId, appliedGeneration } = resource.status;
    await this.#show(resource, NAME_TAKEN, { runId, appliedGeneration });
    return 'later';
  }

  async #start(resource: ResourceFacts): Promise<WorkResult> {
    const { cluster, temporal, taskQueue, log } = this.#tools;
    const { apiVersion, kind, namespace, name, uid } = resource;
    const whole = await cluster.get(resourceOfFacts(resource), namespace, name);
    if (whole.metadata.uid !== uid) return 'later';
    const { generation = 1 } = whole.metadata;
    const given = manifestOfResource({ ...whole, ...resourceOfFacts(resource) });
    const checked = checkedOr(given, namespace);
    if ('faults' in checked) {
      const message = checked.faults.map(formatFault).join('; ');
      await this.#announce(resource, warning(`${kind}FailedValidation`, message, String(generation)));
      await this.#show(resource, failedStatus('InvalidManifest', message), { appliedGeneration: generation });
      return 'done';
    }
    const identity = { apiVersion, kind, uid, generation };
    const start = { taskQueue, resource: identity, manifest: checked.manifest };
    const runId = await this.#answered(resource, startJobOfResource(temporal, start));
    // Another start was first. Which, is seen when Temporal is asked again.
    if (runId === undefined) return 'later';
    bridgeMetrics.started.inc();
    log.info({ kind, namespace, name, uid, runId }, 'started the job of a resource');
    await this.#show(resource, ADMITTING, { runId, appliedGeneration: generation });
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
    const { uid, namespace, name, resourceVersion, status } = resource;
    const wanted = statusOfResource(resource, job, { ...provenance, at: now() });
    const patch = mergePatchBetween(status, wanted);
    const taken = this.#taken.get(uid);
    const isTaken = taken && isDeepStrictEqual(taken.became, status) && isSameStatus(taken.wanted, wanted);
    if (!patch || isTaken) return;
    const { since } = status;
    for (const notice of noticesOf(job, typeof since === 'string' ? since : undefined)) {
      await this.#announce(resource, notice);
    }
    const target = { namespace, name, subresource: 'status' } as const;
    const body = { metadata: { uid, resourceVersion }, status: patch };
    const written = await this.#tools.cluster.patch(resourceOfFacts(resource), target, body);
    const became = isFields(written.status) ? written.status : {};
    if (mergePatchBetween(became, wanted)) this.#taken.set(uid, { wanted, became });
    else this.#taken.delete(uid);
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

function checkedOr(
  given: unknown,
  namespace: string,
): { readonly manifest: Manifest } | { readonly faults: readonly Fault[] } {
  try {
    const validate = (manifest: unknown) => validateManifest(manifest, { namespace }).faults;
    return { manifest: checkedManifest(given, { namespace, validate }) };
  } catch (error) {
    if (!(error instanceof InvalidManifestError)) throw error;
    return { faults: error.faults };
  }
}

const AWAY = 'Temporal does not answer; the job starts when it does';

/** A warning that is given once, however often the bridge looks at the resource. */
const warning = (reason: string, message: string, once = ''): Notice => ({
  ...{ type: 'Warning', reason, message, once },
  at: now(),
});

const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

const editNotTaken = ({ name, namespace, generation }: ResourceFacts) =>
  warning(
    'EditNotTaken',
    `the spec was edited, and the running job stays as it is. \`signalbox scale\`, \`suspend\`, \`resume\` or \`apply -f\` (${name} -n ${namespace}) change it; or delete the resource and apply it again`,
    String(generation),
  );

const leftAlone = () =>
  warning(
    'LeftAlone',
    'another operator has written the status of this job, so signalbox does not run it. Delete the resource and apply it again to run it by signalbox',
  );
