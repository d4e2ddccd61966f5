import type { JobHandle } from '../../client/handles/job-handle.ts';
import { isGoneOrReplaced, isTransient } from '../../cluster/errors.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import type { Chance } from './chance.ts';
import { PROGRESS } from './chaos-policies.ts';
import type { PodLedger } from './pod-ledger.ts';
import type { Stage } from './stage.ts';

/**
 * For `catch`: what was to befall an object is gone with it, or the API server, which is busy with all that befalls the others,
 * did not take it. The planned end of a job is tried again until it comes.
 */
export function unlessMissed(error: unknown): undefined {
  if (!isGoneOrReplaced(error) && !isTransient(error)) throw error;
}

/** What can befall the pods of jobs. Each knows that the pod that it means may be gone by then. */
export class PodControl {
  readonly stage: Pick<Stage, 'cluster' | 'namespace' | 'temporal' | 'client' | 'endPod'>;
  readonly ledger: PodLedger;
  readonly jobs: ReadonlyMap<string, JobHandle>;
  /** uids of pods whose programs came to their end by themselves, as they should. */
  readonly succeeded = new Set<string>();
  readonly #chance: Chance;

  constructor(options: Pick<PodControl, 'stage' | 'ledger' | 'jobs'> & { readonly chance: Chance }) {
    this.stage = options.stage;
    this.ledger = options.ledger;
    this.jobs = options.jobs;
    this.#chance = options.chance;
  }

  /** One of its pods ends by itself. */
  async endOne(job: string, exitCode: number): Promise<void> {
    const pod = this.#chance.pick(this.ledger.live(job));
    if (pod) await this.end(pod, exitCode);
  }

  end({ metadata: { name, uid } }: Pod, exitCode: number): Promise<unknown> {
    if (exitCode === 0) this.succeeded.add(uid!);
    return this.stage.endPod(name, { exitCode, uid }).then(() => true, unlessMissed);
  }

  delete({ metadata: { name, uid } }: Pod, gracePeriodSeconds?: number): Promise<unknown> {
    const { cluster, namespace } = this.stage;
    return cluster.delete(PODS, namespace, name, { uid, gracePeriodSeconds }).catch(unlessMissed);
  }

  /** As a kubelet leaves it that had to make room, or an API server that was asked to. */
  evict({ metadata: { name, uid } }: Pod): Promise<unknown> {
    const { cluster, namespace } = this.stage;
    const disruption = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' };
    const status = { phase: 'Failed', conditions: [{ ...disruption, message: 'evicted by chaos' }] };
    const target = { namespace, name, subresource: 'status' } as const;
    return cluster.patch(PODS, target, { metadata: { uid }, status }, 'strategic').catch(unlessMissed);
  }

  /** Its program says how far it has got. */
  reportProgress({ metadata: { name } }: Pod, step: number): Promise<unknown> {
    const { cluster, namespace } = this.stage;
    const annotations = { [PROGRESS]: String(step) };
    return cluster.patch(PODS, { namespace, name }, { metadata: { annotations } }).catch(unlessMissed);
  }
}
