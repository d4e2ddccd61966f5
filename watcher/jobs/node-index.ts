import { hasEnded, type PodFacts } from '../pods/pod-facts.ts';
import type { WatchedJob } from './job.ts';

/** Jobs by the nodes of their unfinished pods, so that a node's change reaches only the jobs on it. */
export class NodeIndex {
  readonly #byNode = new Map<string, Map<WatchedJob, number>>();

  /** Updates the index after a pod was created, deleted or changed. */
  podChanged(job: WatchedJob, before: PodFacts | undefined, after: PodFacts | undefined): void {
    const [from, to] = [nodeOfLivePod(before), nodeOfLivePod(after)];
    if (from === to) return;
    if (from) this.#add(from, job, -1);
    if (to) this.#add(to, job, 1);
  }

  jobsOn = (node: string): readonly WatchedJob[] => [...(this.#byNode.get(node)?.keys() ?? [])];

  nodes = (): Iterable<string> => this.#byNode.keys();

  #add(node: string, job: WatchedJob, pods: 1 | -1): void {
    const jobs = this.#byNode.get(node) ?? new Map<WatchedJob, number>();
    const count = (jobs.get(job) ?? 0) + pods;
    if (count > 0) jobs.set(job, count);
    else jobs.delete(job);
    if (jobs.size > 0) this.#byNode.set(node, jobs);
    else this.#byNode.delete(node);
  }
}

const nodeOfLivePod = (pod: PodFacts | undefined) => (pod && !hasEnded(pod) ? pod.node : undefined);
