import { readTail } from '../../cluster/read-tail.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { containersOf, hasPodEnded, roleOf } from '../../contracts/pod.ts';
import { DEFAULT_POLICY } from '../../contracts/policy.ts';
import { findRole } from '../../contracts/roles.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { ContainerEvidence, EvidenceRecord, EvidenceSummary } from '../../contracts/types.ts';
import { errorIn } from '../../evidence/error-line.ts';
import {
  endsUntil,
  type FailedContainer,
  failedAt,
  failedContainers,
  failureFacts,
  stoppedContainer,
} from '../../evidence/failed-containers.ts';
import { LOG_MS, MOST_LOGS, runsWithLog } from '../../evidence/kept-logs.ts';
import { recordKeyOf } from '../../evidence/record-key.ts';
import {
  containerEvidence,
  identityOf,
  type Logs,
  podEvidence,
  recordedJobOf,
} from '../../evidence/render-record.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import { mainContainerOf } from '../../frameworks/model/main-container.ts';
import { recognise } from '../../progress/recognise.ts';
import { stepsOfLog } from '../../progress/steps-of-log.ts';
import type { Dependencies } from '../support/dependencies.ts';
import { readLog } from './container-logs.ts';
import { Faults } from './faults.ts';
import { Nodes } from './nodes.ts';
import { patternsOf } from './patterns.ts';
import { eventsOf } from './pod-events.ts';
import { Records } from './records.ts';

/** The kubelet waits ever longer before it restarts a container. */
const MOST_TRIES = 3;

/** So many lines show how long a step takes. */
const STEP_LINES = 20;

/** A summary, and when the pod failed (RFC 3339). */
export interface CollectedEvidence {
  readonly summary: EvidenceSummary;
  readonly failedAt: string;
}

/** Takes evidence of some pods of a job. Reads what the pods share, such as nodes, only once. */
export class EvidenceCollector {
  readonly #dependencies: Dependencies;
  readonly #job: TrainingJob;
  readonly #signal: AbortSignal;
  readonly #nodes: Nodes;
  readonly #records: Records;
  readonly #matchesIn: (texts: Iterable<string>) => number[];

  constructor(dependencies: Dependencies, job: TrainingJob, signal: AbortSignal) {
    this.#dependencies = dependencies;
    this.#job = job;
    this.#signal = signal;
    this.#nodes = new Nodes(dependencies);
    this.#records = new Records(dependencies.evidenceStore);
    this.#matchesIn = patternsOf(job);
  }

  /** Takes evidence of a pod, or returns its existing record, unless a container has failed again since. */
  async of(pod: Pod): Promise<CollectedEvidence> {
    const faults = new Faults(this.#signal);
    const key = await faults.unless('store', async () => recordKeyOf(recordedJobOf(pod), identityOf(pod)));
    const recorded = key && (await faults.unless('store', () => this.#records.find(key)));
    if (recorded && !this.#hasFailedSince(pod, recorded)) return recorded;
    const record = await this.#capture(pod, faults);
    const ref = key && (await faults.unless('store', () => this.#records.write(key, record)));
    return { failedAt: record.failedAt, summary: { ...record.summary, ref, incomplete: faults.summary() } };
  }

  /** Times have whole seconds: a program may end twice in one. */
  #hasFailedSince(pod: Pod, recorded: CollectedEvidence): boolean {
    const [failed] = failedContainers(pod, this.#mainContainerOf(pod));
    if (!failed) return false;
    const later = Date.parse(failedAt(pod, failed) ?? '') - Date.parse(recorded.failedAt);
    return later > 0 || (later === 0 && endsUntil(failed) > (recorded.summary.ends ?? 0));
  }

  async #capture(found: Pod, faults: Faults): Promise<EvidenceRecord> {
    const { nodeName } = found.spec;
    const [node, events, { pod, logs }] = await Promise.all([
      nodeName ? faults.unless('node', () => this.#nodeOf(nodeName)) : undefined,
      faults.unless('events', () => eventsOf(this.#dependencies, found)),
      this.#readLogs(found, faults),
    ]);
    const main = this.#mainContainerOf(pod);
    const failed = failedContainers(pod, main);
    const ended = failed[0] ?? stoppedContainer(pod, main);
    const takenAt = new Date().toISOString();
    const steps = await faults.unless('steps', () => this.#stepsOf(pod, main, logs));
    const lines = linesOfRun(failed[0], logs);
    const matches = this.#matchesIn(textsOf(failed[0], pod, lines));
    const error = errorIn(lines ?? failed[0]?.end.message?.split('\n') ?? []);
    return {
      version: 1,
      job: { kind: this.#job.kind, namespace: this.#job.namespace, name: this.#job.name },
      anchorUid: recordedJobOf(pod).anchorUid,
      summary: {
        ...identityOf(pod),
        node: nodeName,
        ...failureFacts(pod, ended),
        takenAt,
        errorLine: error?.line,
        signature: error?.signature,
        step: steps?.step,
        matches: matches.length > 0 ? matches : undefined,
        incomplete: faults.summary(),
      },
      failedAt: failedAt(pod, ended) ?? takenAt,
      pod: podEvidence(pod),
      containers: containerEvidence(pod, logs),
      steps,
      node,
      events: events ?? [],
      incomplete: faults.list(),
    };
  }

  async #nodeOf(name: string) {
    const node = await this.#nodes.of(name);
    if (!node) throw new Error(`${name} no longer exists`);
    return node;
  }

  /**
   * Reads the logs of a pod, and returns it as it was then. Kubernetes does not say which run a log is of, so the logs of
   * a container that is restarted meanwhile are read again.
   */
  async #readLogs(pod: Pod, faults: Faults, tries = MOST_TRIES): Promise<{ pod: Pod; logs: Logs }> {
    const logs = await this.#logsOf(pod, faults);
    const since = hasPodEnded(pod) ? undefined : await faults.unless('pod', () => this.#find(pod));
    if (!since || !isRestartedSince(pod, since)) return { pod, logs };
    if (tries > 1) return this.#readLogs(since, faults, tries - 1);
    faults.note('logs', 'a container was restarted each time they were read');
    return { pod, logs };
  }

  async #find({ metadata: { namespace, name, uid } }: Pod): Promise<Pod | undefined> {
    const { cluster, bulk } = this.#dependencies;
    const found = await bulk.run(() => cluster.find(PODS, namespace, name));
    return found?.metadata.uid === uid ? found : undefined;
  }

  /** Reads the logs of the failed containers, or of the main container if none has failed. */
  async #logsOf(pod: Pod, faults: Faults): Promise<Logs> {
    const main = this.#mainContainerOf(pod);
    const failed = failedContainers(pod, main);
    const chosen =
      failed.length > 0
        ? failed.map(({ status }) => status).slice(0, MOST_LOGS)
        : containersOf(pod).filter(({ name }) => name === main);
    const read = chosen.map(async (status) => {
      const { present, previous } = runsWithLog(status);
      return [
        status.name,
        {
          log: present ? await this.#logOf(pod, { container: status.name }, faults) : undefined,
          previousLog: previous
            ? await this.#logOf(pod, { container: status.name, previous }, faults)
            : undefined,
        },
      ] as const;
    });
    return new Map(await Promise.all(read));
  }

  /** Only the times of lines say how long a step took, so a log that shows steps is read once more with these. */
  async #stepsOf({ metadata }: Pod, container: string | undefined, logs: Logs) {
    const { lines = [] } = logs.get(container ?? '')?.log ?? {};
    if (!lines.some((line) => recognise(line)?.kind === 'progress')) return undefined;
    const { cluster, bulk } = this.#dependencies;
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(LOG_MS)]);
    const source = { namespace: metadata.namespace!, pod: metadata.name, container, signal };
    return stepsOfLog(await bulk.run(() => readTail(cluster, source, STEP_LINES)), cluster.now());
  }

  async #logOf(
    pod: Pod,
    { container, previous = false }: { container: string; previous?: boolean },
    faults: Faults,
  ): Promise<ContainerEvidence['log']> {
    const what = `${previous ? 'previous log' : 'log'} of ${container}`;
    const { logLines: lines } = (this.#job.plan.policy ?? DEFAULT_POLICY).evidence;
    const request = { pod, container, previous, lines, signal: this.#signal };
    const read = await faults.unless(what, () => readLog(this.#dependencies, this.#nodes, request));
    if (read?.fault) faults.note(what, read.fault);
    return read?.log;
  }

  #mainContainerOf(pod: Pod): string | undefined {
    const role = findRole(this.#job.roles, roleOf(pod));
    return role && mainContainerOf(role.template, frameworkOf(this.#job)).name;
  }
}

const isRestartedSince = (pod: Pod, since: Pod): boolean => {
  const before = new Map(containersOf(pod).map(({ name, restartCount }) => [name, restartCount]));
  return containersOf(since).some(({ name, restartCount = 0 }) => restartCount > (before.get(name) ?? 0));
};

/** The log of the run that failed. */
function linesOfRun(failed: FailedContainer | undefined, logs: Logs): readonly string[] | undefined {
  if (!failed) return undefined;
  const { log, previousLog } = logs.get(failed.status.name) ?? {};
  return (failed.isPrevious ? previousLog : log)?.lines;
}

/** Texts to match patterns against: the messages, and each log line of the run that failed. */
function* textsOf(
  failed: FailedContainer | undefined,
  pod: Pod,
  lines: readonly string[] | undefined,
): Generator<string> {
  if (failed?.end.message) yield failed.end.message;
  if (pod.status?.message) yield pod.status.message;
  yield* lines ?? [];
}
