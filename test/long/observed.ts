import type { ClusterClient } from '../../cluster/client.ts';
import { type ReflectorHandlers, reflect } from '../../cluster/reflector.ts';
import {
  type Condition,
  type KubeObject,
  NODES,
  type Node,
  PODS,
  type Pod,
  type Resource,
} from '../../contracts/kubernetes.ts';
import { conditionOf } from '../../contracts/objects.ts';
import { PROGRESS } from '../scenarios/chaos-policies.ts';
import { attemptOf, jobOf } from '../scenarios/pod-ledger.ts';

/** What the cluster was like at any time, by watches of the test's own that no fault is injected into. */
export class Observed {
  readonly pods = new Course();
  readonly nodes = new Course();
  /** When a pod was seen to report progress, in epoch milliseconds, by job. */
  readonly reports = new Map<string, number[]>();
  readonly #reported = new Map<string, string>();
  readonly #closing = new AbortController();
  readonly #following: readonly Promise<void>[];

  constructor(cluster: ClusterClient, namespace: string) {
    this.#following = [
      this.#follow(cluster, PODS, {
        course: this.pods,
        selection: { namespace },
        look: (pod) => {
          this.#noteReport(pod);
          const { name } = pod.metadata;
          return [keyOfPod(jobOf(pod), attemptOf(pod), name), isWell(pod)];
        },
      }),
      this.#follow(cluster, NODES, {
        course: this.nodes,
        look: (node) => [node.metadata.name, isReady(node)],
      }),
    ];
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#following);
  }

  #follow<T extends KubeObject>(
    cluster: ClusterClient,
    resource: Resource<T>,
    { course, look, ...source }: Followed<T>,
  ): Promise<void> {
    const handlers: ReflectorHandlers<T> = {
      replaced: (objects) => course.restart(objects.map(look)),
      changed: (object) => course.note(...look(object)),
      deleted: (object) => course.note(look(object)[0], false),
      interrupted: () => course.interrupt(),
    };
    return reflect(cluster, { resource, ...source }, handlers, this.#closing.signal);
  }

  #noteReport({ metadata, ...pod }: Pod): void {
    const value = metadata.annotations?.[PROGRESS];
    const { uid = '' } = metadata;
    if (value === undefined || this.#reported.get(uid) === value) return;
    this.#reported.set(uid, value);
    const job = jobOf({ ...pod, metadata });
    this.reports.set(job, [...(this.reports.get(job) ?? []), Date.now()]);
  }
}

interface Followed<T extends KubeObject> {
  readonly course: Course;
  readonly selection?: { readonly namespace: string };
  /** Returns the object's key, and whether it is well. */
  readonly look: (object: T) => readonly [key: string, isWell: boolean];
}

export const keyOfPod = (job: string, attempt: number, pod: string) => `${job} ${attempt} ${pod}`;

/** A pod that has failed is not: a job whose failed pod has not been replaced has not recovered. */
export const isWell = (pod: Pod) => isReady(pod) || pod.status?.phase === 'Succeeded';

const isReady = (object: Pod | Node) => conditionOf<Condition>(object, 'Ready')?.status === 'True';

interface Change {
  readonly at: number;
  readonly isWell: boolean;
}

/** What follows a broken stream comes in a burst. */
const BURST_MS = 1_000;

/** When what was well, as it was seen. */
export class Course {
  readonly #changes = new Map<string, Change[]>();
  /** Times of which not everything was seen: from the end of a stream to what was heard next. */
  readonly #gaps: { readonly from: number; to: number }[] = [];

  note(key: string, isWell: boolean, at = Date.now()): void {
    this.#record(at);
    const changes = this.#changes.get(key) ?? [];
    if (changes.at(-1)?.isWell !== isWell) this.#changes.set(key, [...changes, { at, isWell }]);
  }

  interrupt(at = Date.now()): void {
    if (this.#gaps.at(-1)?.to !== Infinity) this.#gaps.push({ from: at, to: Infinity });
  }

  restart(present: readonly (readonly [key: string, isWell: boolean])[], at = Date.now()): void {
    this.interrupt(at);
    const keys = new Set(present.map(([key]) => key));
    for (const key of this.#changes.keys()) if (!keys.has(key)) this.note(key, false, at);
    for (const [key, isWell] of present) this.note(key, isWell, at);
  }

  keys(prefix: string): readonly string[] {
    return [...this.#changes.keys()].filter((key) => key.startsWith(prefix));
  }

  /** Whether it is certain that this was well all the time between, in epoch milliseconds. */
  wasWell(key: string, from: number, to: number): boolean {
    const changes = this.#changes.get(key) ?? [];
    const isSteady = !changes.some(({ at }) => at > from && at <= to);
    const isSeen = !this.#gaps.some((gap) => gap.from <= to && gap.to >= from);
    return isSteady && isSeen && changes.findLast(({ at }) => at <= from)?.isWell === true;
  }

  #record(at: number): void {
    const gap = this.#gaps.at(-1);
    if (gap?.to === Infinity) gap.to = at + BURST_MS;
  }
}
