import { setTimeout as delay } from 'node:timers/promises';
import { LEASES, type Lease } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { LEASE_SHARES } from '../contracts/timing.ts';
import { pause } from '../language/timers.ts';
import type { ClusterClient } from './client.ts';
import { isAlreadyExists, isConflict } from './errors.ts';

export interface ElectionOptions {
  readonly namespace: string;
  readonly name: string;
  /** Unique among all candidates. */
  readonly identity: string;
  /** Labels of the lease. */
  readonly labels?: Readonly<Record<string, string>>;
  /** All candidates must belong to one installation: jobs of another one would receive no digests. */
  readonly installation: string;
  /** Whether the process behind an identity is known to have ended; its lease is taken over at once. */
  readonly hasEnded?: (identity: string) => boolean;
  /** Called after taking over the lease of another installation whose leader had stopped renewing it. */
  readonly tookOver?: (installation: string) => void;
  /** Others take over after this long without a renewal. The leader itself gives up before. */
  readonly durationMs: number;
  readonly renewMs: number;
  /** What the leader writes on the lease with each renewal; undefined removes an annotation. */
  readonly annotations?: () => Readonly<Record<string, string | undefined>>;
  /** Called after each attempt to read or write the lease, with undefined on success. */
  readonly trouble?: (error: unknown) => void;
}

/** Several candidates do not write to a lease that has ended in the same millisecond. */
const SPREAD_MS = 200;

/** How long a release waits for a renewal in flight. */
const LAST_RENEWAL_MS = 2_000;

/** The leader's work until the signal aborts; must end soon after. `isResumed`: no other process has led since it led last. */
type OnStartedLeading = (leadership: AbortSignal, isResumed: boolean) => Promise<void>;

interface Observed {
  readonly lease?: Lease;
  /** When it was first seen in this state, by the local clock. */
  readonly at: number;
  /** How often its holder was seen to renew it. */
  readonly renewals: number;
}

const installationIn = (lease: Lease | undefined) => lease?.metadata.annotations?.[LABELS.installation];

/**
 * Takes part in the election until `stop` aborts, and leads while it holds the lease. Works like client-go's
 * leaderelection: it compares no clocks, and a lease expires when it has not been seen to change for its duration.
 * Throws `ForeignLeaseError` if the lease is renewed for another installation. (The npm packages for this poll through
 * client-node, or compare clocks.)
 */
export async function runLeaderElection(
  client: ClusterClient,
  options: ElectionOptions,
  { onStartedLeading, stop }: { readonly onStartedLeading: OnStartedLeading; readonly stop: AbortSignal },
): Promise<void> {
  const election = new Election(client, options, stop);
  while (!stop.aborted) {
    if (await election.tryAcquireOrRenew()) await election.lead(onStartedLeading);
    else {
      election.refuseForeign();
      await election.pause();
    }
  }
}

/** A running process of another installation holds the lease. */
export class ForeignLeaseError extends Error {
  override readonly name = 'ForeignLeaseError';
}

class Election {
  readonly #client: ClusterClient;
  readonly #options: ElectionOptions;
  readonly #stop: AbortSignal;
  #observed: Observed = { at: 0, renewals: 0 };
  /** The lease as it was when this process led last. */
  #led: Lease | undefined;
  /** The last renewal; it may still be in flight. */
  #renewing: Promise<unknown> = Promise.resolve();

  constructor(client: ClusterClient, options: ElectionOptions, stop: AbortSignal) {
    this.#client = client;
    this.#options = options;
    this.#stop = stop;
  }

  /** Tries once to take the lease, or to renew it. */
  async tryAcquireOrRenew(): Promise<boolean> {
    try {
      const lease = await this.#read();
      const taken = this.#isFree(lease) && (await this.#write(lease));
      this.#options.trouble?.(undefined);
      return taken;
    } catch (error) {
      this.#options.trouble?.(error);
      return false;
    }
  }

  /** Throws if another installation's lease was seen to be renewed, since such a lease is in use. */
  refuseForeign(): void {
    const { lease, renewals } = this.#observed;
    const installation = installationIn(lease);
    if (renewals === 0 || !installation || installation === this.#options.installation) return;
    const { namespace, name } = this.#options;
    throw new ForeignLeaseError(
      `the lease ${namespace}/${name} is held by ${this.#holder()}, a process of another signalbox installation (Temporal namespace ${installation}; this one is ${this.#options.installation}): give each installation its own lease with SIGNALBOX_LEASE_NAMESPACE, or SIGNALBOX_LEASE_NAME and SIGNALBOX_BRIDGE_LEASE_NAME`,
    );
  }

  /** Leads until `stop` aborts, or until the lease could not be renewed in time. */
  async lead(onStartedLeading: OnStartedLeading): Promise<void> {
    const leadership = new AbortController();
    const signal = AbortSignal.any([leadership.signal, this.#stop]);
    const leading = onStartedLeading(signal, this.#isResumed()).finally(() => leadership.abort());
    leading.catch(() => undefined); // handled below
    await this.#renewUntil(signal);
    leadership.abort();
    try {
      await leading;
    } finally {
      await this.#release();
    }
  }

  /** Each other leader would have added a transition of its own. */
  #isResumed(): boolean {
    const [before, { lease }] = [this.#led, this.#observed];
    this.#led = lease;
    if (!before || !lease || before.metadata.uid !== lease.metadata.uid) return false;
    return transitionsOf(lease) - transitionsOf(before) <= 1;
  }

  /**
   * Waits until the lease changes, so that a released one is taken at once, or until the next attempt is due: at the
   * latest when the lease ends unless it is renewed.
   */
  async pause(): Promise<void> {
    const usual = this.#options.renewMs * (0.75 + Math.random() / 2);
    const untilEnd = this.#observed.at + this.#durationMs() - Date.now();
    const wait = untilEnd > 0 ? Math.min(usual, untilEnd + 10 + Math.random() * SPREAD_MS) : usual;
    const changed = new AbortController();
    const signal = AbortSignal.any([changed.signal, this.#stop]);
    const timer = pause(wait, signal);
    await Promise.race([timer, this.#changes(signal).catch(() => timer)]);
    changed.abort();
  }

  async #changes(signal: AbortSignal): Promise<void> {
    const resourceVersion = this.#observed.lease?.metadata.resourceVersion;
    if (!resourceVersion) return new Promise(() => undefined);
    const { namespace, name } = this.#options;
    const selection = { namespace, fieldSelector: `metadata.name=${name}` };
    for await (const event of this.#client.watch(LEASES, { ...selection, resourceVersion, signal })) {
      if (event.type === 'DELETED' || (event.type === 'MODIFIED' && !event.object.spec?.holderIdentity))
        return;
    }
    throw new Error('the watch ended');
  }

  async #renewUntil(over: AbortSignal): Promise<void> {
    const { durationMs, renewMs } = this.#options;
    // Counts from before the request, because others count from after they saw its effect.
    let deadline = this.#observed.at + durationMs * LEASE_SHARES.giveUp;
    while (!over.aborted) {
      const next = Math.min(renewMs * (0.9 + Math.random() / 5), deadline - Date.now());
      await pause(Math.max(0, next), over);
      if (over.aborted || Date.now() >= deadline) return;
      const startedAt = Date.now();
      const renewing = this.tryAcquireOrRenew();
      this.#renewing = renewing;
      const outcome = await Promise.race([renewing, timeout(deadline - startedAt, over)]);
      if (outcome) deadline = startedAt + durationMs * LEASE_SHARES.giveUp;
      else if (this.#holder() !== this.#options.identity) return;
    }
  }

  async #read(): Promise<Lease | undefined> {
    const { namespace, name } = this.#options;
    const lease = await this.#client.find(LEASES, namespace, name);
    this.#observe(lease);
    return lease;
  }

  #observe(lease: Lease | undefined, at = Date.now()): void {
    const { at: seenAt, renewals, lease: last } = this.#observed;
    const isSame = lease?.metadata.resourceVersion === last?.metadata.resourceVersion;
    const holder = lease?.spec?.holderIdentity;
    const isRenewed = !isSame && holder !== undefined && holder === last?.spec?.holderIdentity;
    this.#observed = {
      lease,
      at: isSame ? seenAt : at,
      renewals: isRenewed ? renewals + 1 : isSame ? renewals : 0,
    };
  }

  #holder(): string | undefined {
    return this.#observed.lease?.spec?.holderIdentity || undefined;
  }

  /** Of the lease, as its holder wrote it. */
  #durationMs(): number {
    return (this.#observed.lease?.spec?.leaseDurationSeconds ?? 0) * 1000;
  }

  #isFree(lease: Lease | undefined): boolean {
    const holder = this.#holder();
    if (!lease || !holder || holder === this.#options.identity) return true;
    if (this.#options.hasEnded?.(holder)) return true;
    return Date.now() - this.#observed.at > this.#durationMs();
  }

  /** Writes the lease; false if another process has written it since it was read. */
  async #write(lease: Lease | undefined): Promise<boolean> {
    const startedAt = Date.now();
    try {
      const claim = this.#claim(lease);
      const written = lease
        ? await this.#client.replace(LEASES, claim)
        : await this.#client.create(LEASES, claim);
      this.#observe(written, startedAt);
      const before = installationIn(lease);
      if (before && before !== this.#options.installation) this.#options.tookOver?.(before);
      return true;
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) return false;
      throw error;
    }
  }

  #claim(lease: Lease | undefined): Lease {
    const { namespace, name, identity, installation, durationMs, labels } = this.#options;
    const noted = { ...lease?.metadata.annotations, ...this.#options.annotations?.() };
    const annotations = { ...definedOf(noted), [LABELS.installation]: installation };
    const renewed = lease?.spec?.holderIdentity === identity;
    return {
      apiVersion: LEASES.apiVersion,
      kind: LEASES.kind,
      metadata: {
        ...(lease?.metadata ?? { name, namespace }),
        labels: { ...lease?.metadata.labels, ...labels },
        annotations,
      },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: Math.ceil(durationMs / 1000),
        acquireTime: renewed ? lease.spec?.acquireTime : microTime(),
        renewTime: microTime(),
        leaseTransitions: (lease ? transitionsOf(lease) : 0) + (lease && !renewed ? 1 : 0),
      },
    };
  }

  /** Releases the lease, so that the next leader need not wait for it to expire. Ignores errors. */
  async #release(): Promise<void> {
    // A renewal that is still in flight would take the lease again.
    await Promise.race([this.#renewing, delay(LAST_RENEWAL_MS, undefined, { ref: false })]);
    const lease = await this.#read().catch(() => undefined);
    if (lease?.spec?.holderIdentity !== this.#options.identity) return;
    const { holderIdentity: _, ...spec } = lease.spec;
    const released = { ...lease, spec: { ...spec, leaseDurationSeconds: 1 } };
    await this.#client.replace(LEASES, released).catch(() => undefined);
  }
}

const transitionsOf = ({ spec }: Lease): number => spec?.leaseTransitions ?? 0;

const definedOf = (annotations: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(annotations).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

const timeout = (ms: number, signal: AbortSignal) =>
  delay(Math.max(0, ms), false, { signal }).catch(() => false);

/** Kubernetes' MicroTime requires exactly six digits. */
const microTime = () => new Date().toISOString().replace('Z', '000Z');
