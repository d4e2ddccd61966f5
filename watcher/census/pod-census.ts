import { isGpu } from '../../contracts/gpus.ts';
import { PHASES } from '../../contracts/status.ts';
import { isOneOf } from '../../language/one-of.ts';
import type { WatchedJob } from '../jobs/job.ts';
import { type Requested, sumOfRequests } from '../pods/requested.ts';
import { fewValues } from './few-values.ts';
import { MOST_NAMESPACES } from './job-census.ts';
import { Sums } from './sums.ts';

/** The pods that a watcher follows, and the GPUs that they request. */
interface PodCensus {
  readonly pods: Sums<'job_namespace' | 'state'>;
  /** Of pods that have a node, by phase of the job. Pods that are being deleted keep theirs until they are gone. */
  readonly gpus: Sums<'job_namespace' | 'phase'>;
  /** Of pods without a node. */
  readonly gpusWaiting: Sums<'job_namespace'>;
}

export class PodCensusTaker {
  readonly #namespaces = fewValues(MOST_NAMESPACES);
  /** Pods of a role are equal in what they request. */
  readonly #gpus = new Map<Requested, number>();

  take(jobs: Iterable<WatchedJob>): PodCensus {
    const census = {
      pods: new Sums<'job_namespace' | 'state'>(),
      gpus: new Sums<'job_namespace' | 'phase'>(),
      gpusWaiting: new Sums<'job_namespace'>(),
    };
    if (this.#gpus.size > MOST_REQUESTS) this.#gpus.clear();
    for (const job of jobs) this.#count(job, census);
    return census;
  }

  /** Pods without an anchor are not counted: it is yet to come, or they are of no job of this installation. */
  #count({ namespace, states, pods, anchor }: WatchedJob, census: PodCensus): void {
    if (!anchor) return;
    const job_namespace = this.#namespaces(namespace);
    for (const [state, count] of Object.entries(states))
      if (count > 0) census.pods.add({ job_namespace, state }, count);
    const phase = isOneOf(PHASES, anchor.phase) ? anchor.phase : 'Pending';
    for (const { state, requested } of pods.values()) {
      const gpus = this.#gpusIn(requested);
      if (gpus === 0) continue;
      if (state === 'unscheduled') census.gpusWaiting.add({ job_namespace }, gpus);
      else census.gpus.add({ job_namespace, phase }, gpus);
    }
  }

  #gpusIn(requested: Requested): number {
    const known = this.#gpus.get(requested) ?? gpusIn(requested);
    this.#gpus.set(requested, known);
    return known;
  }
}

const MOST_REQUESTS = 10_000;
const NANOS = 1_000_000_000n;

const gpusIn = (requested: Requested): number =>
  [...sumOfRequests([{ requested }])]
    .filter(([resource]) => isGpu(resource))
    .reduce((sum, [, { nanos }]) => sum + Number(nanos / NANOS), 0);
