import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ClusterClient } from '../cluster/client.ts';
import { type ReflectorHandlers, reflect } from '../cluster/reflector.ts';
import { CONFIG_MAPS, type KubeObject, PODS, type Resource } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { GangAdapter } from '../gang/gang.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import type { AnchorFacts } from './anchor-facts.ts';
import { signalDelivery } from './delivery.ts';
import { type Job, JobBook } from './job-book.ts';
import { lostAnchors } from './lost-anchors.ts';
import { metrics } from './metrics.ts';
import { type Fate, settle } from './orphans.ts';
import { patrol } from './patrol.ts';
import { trimPod } from './pod-facts.ts';
import type { Readiness } from './readiness.ts';
import { Sender, type SenderOptions } from './sender.ts';

export interface TermTools {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  readonly namespace?: string;
  readonly taskQueue: string;
  readonly sweepIntervalMs: number;
  readonly readiness: Readiness;
  readonly log: Logger;
}

/** How often to ask whether the cluster has begun to serve PodGroups. */
const LOOK_FOR_GROUPS_MS = 300_000;
const COUNT_MS = 5_000;

/** A scheduler that has groups. */
type Gang = GangAdapter & Required<Pick<GangAdapter, 'resource'>>;

const GANGS = Object.values(GANG_ADAPTERS).filter(
  (adapter): adapter is Gang => adapter.resource !== undefined,
);

/** What the leader does while it leads. Everything starts afresh with each term. */
export class Term {
  readonly #tools: TermTools;
  readonly #signal: AbortSignal;
  readonly #book: JobBook;
  readonly #sender: Sender;
  readonly #settling = new Map<string, Promise<Fate>>();
  readonly #unlisted = new Set<string>();
  readonly #listed = Promise.withResolvers<void>();

  constructor(tools: TermTools, signal: AbortSignal) {
    this.#tools = tools;
    this.#signal = signal;
    this.#book = new JobBook((job, urgent) => this.#sender.changed(job, urgent));
    this.#sender = new Sender({
      deliver: signalDelivery(tools.temporal, signal),
      revision: () => this.#book.revision,
      gone: (job) => void this.#settleGone(job),
      told: this.#told,
    });
  }

  /** Ends as soon as the signal aborts: a request that still waits for its answer can do no harm any more. */
  async run(): Promise<void> {
    const counting = setInterval(() => this.#count(), COUNT_MS);
    try {
      await Promise.race([this.#work(), aborted(this.#signal)]);
    } finally {
      await this.#sender.stop();
      clearInterval(counting);
      metrics.jobs.set(0);
      metrics.pods.set(0);
    }
  }

  async #work(): Promise<void> {
    const following = await this.#followAll();
    await Promise.race([this.#listed.promise, aborted(this.#signal)]);
    if (this.#signal.aborted) return;
    this.#begin();
    await Promise.all([...following, this.#patrol()]);
  }

  /** Which groups there are is asked first: a digest without them is wrong where they exist. */
  async #followAll(): Promise<Promise<void>[]> {
    const served = await Promise.all(GANGS.map(async (gang) => [gang, await this.#isServed(gang)] as const));
    return [
      this.#follow(CONFIG_MAPS, LABELS.anchor, { handlers: this.#book.anchors }),
      this.#follow(PODS, LABELS.job, { handlers: this.#book.pods, trim: trimPod }),
      ...served.map(([gang, isServed]) => (isServed ? this.#followGroups(gang) : this.#awaitGroups(gang))),
    ];
  }

  #begin(): void {
    this.#count();
    this.#tools.log.info({ ...this.#book.size, revision: this.#book.revision }, 'following jobs');
    this.#sender.start(this.#book.jobs);
  }

  /** Undefined once the term is over. */
  async #isServed({ resource }: Gang): Promise<boolean | undefined> {
    while (!this.#signal.aborted) {
      try {
        const served = await this.#tools.cluster.serves(resource);
        this.#tools.readiness.set('discovery', undefined);
        return served;
      } catch (error) {
        this.#tools.readiness.set('discovery', error);
        await delay(1_000, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  async #awaitGroups(gang: Gang): Promise<void> {
    while (!this.#signal.aborted) {
      await delay(LOOK_FOR_GROUPS_MS, undefined, { signal: this.#signal }).catch(() => undefined);
      if (!this.#signal.aborted && (await this.#isServed(gang))) return this.#followGroups(gang);
    }
  }

  #followGroups = (gang: Gang) =>
    this.#follow(gang.resource, LABELS.job, { handlers: this.#book.groupsOf(gang) });

  async #follow<T extends KubeObject>(
    resource: Resource<T>,
    labelSelector: string,
    { handlers, trim }: { handlers: ReflectorHandlers<T>; trim?: (object: T) => T },
  ): Promise<void> {
    const { cluster, namespace, readiness, log } = this.#tools;
    if (this.#signal.aborted) return;
    const stream = `${resource.apiVersion}/${resource.plural}`;
    this.#unlisted.add(stream);
    readiness.set(stream, 'not listed yet');
    const told = { ...handlers } as ReflectorHandlers<T>;
    told.replaced = (objects, revision) => {
      log.debug({ resource: stream, objects: objects.length, revision }, 'listed');
      handlers.replaced(objects, revision);
      readiness.set(stream, undefined);
      this.#unlisted.delete(stream);
      if (this.#unlisted.size === 0) this.#listed.resolve();
    };
    told.interrupted = (error) => {
      if (this.#unlisted.has(stream)) readiness.set(stream, error);
      log.warn({ err: error, resource: stream }, 'a stream from the cluster was interrupted');
    };
    await reflect(cluster, { resource, selection: { namespace, labelSelector }, trim }, told, this.#signal);
  }

  #told: NonNullable<SenderOptions['told']> = (result, { delayMs, error }) => {
    if (this.#signal.aborted) return;
    metrics.signals.inc({ result });
    if (result === 'delivered') metrics.signalDelay.observe(delayMs / 1000);
    this.#tools.readiness.set('signals', error);
    if (error) this.#tools.log.warn({ err: error }, 'a digest could not be sent; trying again');
  };

  async #settleGone(job: Job): Promise<void> {
    if (!job.anchor || job.anchor.deleted) return;
    try {
      await this.#settle(job.anchor);
    } catch (error) {
      this.#tools.log.warn({ err: error, anchor: job.anchor }, 'could not find out what became of a job');
    }
  }

  /** A signal that went astray and the patrol may come upon the same job at once. */
  #settle(anchor: AnchorFacts): Promise<Fate> {
    const settling =
      this.#settling.get(anchor.uid) ??
      this.#settleOnce(anchor).finally(() => this.#settling.delete(anchor.uid));
    this.#settling.set(anchor.uid, settling);
    return settling;
  }

  async #settleOnce(anchor: AnchorFacts): Promise<Fate> {
    const fate = await settle(this.#tools, anchor);
    const job = this.#book.job(anchor.uid);
    if (fate === 'running' && job) this.#sender.resume(job);
    if (fate === 'swept') {
      metrics.sweeps.inc();
      this.#tools.log.warn({ anchor }, 'the workflow of a job ended without clean-up: its objects are swept');
    }
    return fate;
  }

  async #patrol(): Promise<void> {
    const { temporal, sweepIntervalMs, log } = this.#tools;
    await patrol(
      {
        temporal,
        intervalMs: sweepIntervalMs,
        openAnchors: () => this.#book.openAnchors(),
        look: (anchor) => this.#settle(anchor),
        thoroughly: () => this.#findLostAnchors(),
        trouble: (error) => log.warn({ err: error }, 'a round over the jobs failed'),
      },
      this.#signal,
    );
  }

  async #findLostAnchors(): Promise<void> {
    const isKnown = (uid: string) => this.#book.job(uid)?.anchor !== undefined;
    for await (const anchor of lostAnchors({ ...this.#tools, isKnown })) {
      if (!this.#signal.aborted) this.#book.anchorGone(anchor);
    }
  }

  #count(): void {
    const { jobs, pods } = this.#book.size;
    metrics.jobs.set(jobs);
    metrics.pods.set(pods);
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
