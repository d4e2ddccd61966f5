import { setTimeout as delay } from 'node:timers/promises';
import { type KubeObject, LEASES, type Resource } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { pause } from './back-off.ts';
import type { ClusterClient } from './client.ts';
import { isAlreadyExists, isConflict } from './errors.ts';

export interface ElectionOptions {
  readonly namespace: string;
  readonly name: string;
  /** Differs between all who take part. */
  readonly identity: string;
  /** Those who take part must be of one installation: the jobs of another one would be told nothing. */
  readonly installation: string;
  /** The lease was last held for another installation, which is silent. */
  readonly tookOver?: (installation: string) => void;
  /** Others take over when the leader has been silent for so long; it gives up by itself after two thirds of it. */
  readonly durationMs: number;
  readonly renewMs: number;
  /** Tells of each attempt to read or write the lease: undefined when it went well. */
  readonly trouble?: (error: unknown) => void;
}

/** What a leader does until the signal aborts; must end soon after. */
export type Lead = (term: AbortSignal) => Promise<void>;

interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

const LEASE = LEASES as Resource<Lease>;

interface Observed {
  readonly lease?: Lease;
  /** Since when it has been as it is, by our own clock. */
  readonly at: number;
  /** How often its holder was seen to renew it. */
  readonly renewals: number;
}

const installationIn = (lease: Lease | undefined) => lease?.metadata.annotations?.[LABELS.installation];

/**
 * Takes part in the election until `stop` aborts, and leads whenever it holds the lease. Works as client-go's
 * leaderelection does: nobody's clock is compared with another's, a lease is over when it has not changed before our
 * eyes for its duration. Throws `ForeignLeaseError` if the lease is renewed for another installation. (The npm packages for this poll through client-node, or compare clocks.)
 */
export async function campaign(
  client: ClusterClient,
  options: ElectionOptions,
  { lead, stop }: { readonly lead: Lead; readonly stop: AbortSignal },
): Promise<void> {
  const election = new Election(client, options, stop);
  while (!stop.aborted) {
    if (await election.acquire()) await election.serve(lead);
    else {
      election.refuseForeign();
      await election.pause();
    }
  }
}

/** A watcher of another installation holds the lease, and lives. */
export class ForeignLeaseError extends Error {
  override readonly name = 'ForeignLeaseError';
}

class Election {
  readonly #client: ClusterClient;
  readonly #options: ElectionOptions;
  readonly #stop: AbortSignal;
  #observed: Observed = { at: 0, renewals: 0 };

  constructor(client: ClusterClient, options: ElectionOptions, stop: AbortSignal) {
    this.#client = client;
    this.#options = options;
    this.#stop = stop;
  }

  /** One attempt to take the lease, or to renew it if it is ours. */
  async acquire(): Promise<boolean> {
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

  /** A lease that was renewed before our eyes is no leftover. */
  refuseForeign(): void {
    const { lease, renewals } = this.#observed;
    const installation = installationIn(lease);
    if (renewals === 0 || !installation || installation === this.#options.installation) return;
    const { namespace, name } = this.#options;
    throw new ForeignLeaseError(
      `the lease ${namespace}/${name} is held by ${this.#holder()}, a watcher of another installation of signalbox (Temporal namespace ${installation}; this one is ${this.#options.installation}): give each installation a lease of its own, by SIGNALBOX_LEASE_NAMESPACE or SIGNALBOX_LEASE_NAME`,
    );
  }

  /** Leads until told to stop, or until the lease could not be renewed in time. */
  async serve(lead: Lead): Promise<void> {
    const term = new AbortController();
    const signal = AbortSignal.any([term.signal, this.#stop]);
    const leading = lead(signal).finally(() => term.abort());
    leading.catch(() => undefined); // dealt with below
    await this.#renewUntil(signal);
    term.abort();
    try {
      await leading;
    } finally {
      await this.#release();
    }
  }

  /** Until the lease changes, so that a released one is taken at once, or until it is time to look again. */
  async pause(): Promise<void> {
    const wait = this.#options.renewMs * (0.75 + Math.random() / 2);
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
    for await (const event of this.#client.watch(LEASE, { ...selection, resourceVersion, signal })) {
      if (event.type === 'DELETED' || (event.type === 'MODIFIED' && !event.object.spec?.holderIdentity))
        return;
    }
    throw new Error('the watch ended');
  }

  async #renewUntil(over: AbortSignal): Promise<void> {
    const { durationMs, renewMs } = this.#options;
    // Counted from before the request: others count from after they saw its effect.
    let deadline = this.#observed.at + (durationMs * 2) / 3;
    while (!over.aborted) {
      const next = Math.min(renewMs * (0.9 + Math.random() / 5), deadline - Date.now());
      await pause(Math.max(0, next), over);
      if (over.aborted || Date.now() >= deadline) return;
      const startedAt = Date.now();
      const outcome = await Promise.race([this.acquire(), timeout(deadline - startedAt, over)]);
      if (outcome) deadline = startedAt + (durationMs * 2) / 3;
      else if (this.#holder() !== this.#options.identity) return;
    }
  }

  async #read(): Promise<Lease | undefined> {
    const { namespace, name } = this.#options;
    const lease = await this.#client.find(LEASE, namespace, name);
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

  #isFree(lease: Lease | undefined): boolean {
    const holder = this.#holder();
    if (!lease || !holder || holder === this.#options.identity) return true;
    const durationMs = (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    return Date.now() - this.#observed.at > durationMs;
  }

  /** The API server refuses it if somebody else has written since we read. */
  async #write(lease: Lease | undefined): Promise<boolean> {
    const startedAt = Date.now();
    try {
      const claim = this.#claim(lease);
      const written = lease
        ? await this.#client.replace(LEASE, claim)
        : await this.#client.create(LEASE, claim);
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
    const { namespace, name, identity, installation, durationMs } = this.#options;
    const annotations = { ...lease?.metadata.annotations, [LABELS.installation]: installation };
    const renewed = lease?.spec?.holderIdentity === identity;
    return {
      apiVersion: LEASES.apiVersion,
      kind: LEASES.kind,
      metadata: { ...(lease?.metadata ?? { name, namespace }), annotations },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: Math.ceil(durationMs / 1000),
        acquireTime: renewed ? lease.spec?.acquireTime : microTime(),
        renewTime: microTime(),
        leaseTransitions: (lease?.spec?.leaseTransitions ?? 0) + (lease && !renewed ? 1 : 0),
      },
    };
  }

  /** So that the next leader need not wait for it to expire. If that fails, it does wait. */
  async #release(): Promise<void> {
    const lease = await this.#read().catch(() => undefined);
    if (lease?.spec?.holderIdentity !== this.#options.identity) return;
    const { holderIdentity: _, ...spec } = lease.spec;
    const released = { ...lease, spec: { ...spec, leaseDurationSeconds: 1 } };
    await this.#client.replace(LEASE, released).catch(() => undefined);
  }
}

const timeout = (ms: number, signal: AbortSignal) =>
  delay(Math.max(0, ms), false, { signal }).catch(() => false);

/** Kubernetes' MicroTime wants exactly six digits. */
const microTime = () => new Date().toISOString().replace('Z', '000Z');
