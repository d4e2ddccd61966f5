import type { Pod } from '../contracts/kubernetes.ts';
import { hasPodEnded } from '../contracts/pod.ts';
import { addAmounts } from '../contracts/pod-requests.ts';
import { holderOf, isOwnPod, type OwnJob } from './node-usage.ts';
import { isBestEffort, usageOf } from './quota-usage.ts';
import { shapesOf } from './shape.ts';
import type { Claimant } from './situation.ts';

/** Adds up what pods of others in the namespace of a job use of its quotas, whether they have a node or not. */
export class QuotaClaimants {
  readonly #own: OwnJob;
  readonly #claimants = new Map<string, Claimant>();

  constructor(own: OwnJob) {
    this.#own = own;
  }

  add(pod: Pod): void {
    const { metadata, spec } = pod;
    const isOfOther = metadata.namespace !== this.#own.namespace || isOwnPod(pod, this.#own);
    if (isOfOther || hasPodEnded(pod)) return;
    const [shape] = shapesOf([{ role: '', spec, metadata, isCreated: true }]);
    const { hasDeadline, reachesNamespaces, priorityClassName, requests, limits } = shape!;
    const counted = { hasDeadline, reachesNamespaces, priorityClassName, requests, limits };
    const who = holderOf(pod, this.#own);
    const scopes = [hasDeadline, reachesNamespaces, priorityClassName, isBestEffort(counted)];
    const key = JSON.stringify([who, ...scopes]);
    const known = this.#claimants.get(key);
    const used = usageOf([shape!], () => 1);
    this.#claimants.set(
      key,
      known ? { ...known, used: addAmounts(known.used, used) } : { who, used, counted },
    );
  }

  get all(): readonly Claimant[] {
    return [...this.#claimants.values()];
  }
}
