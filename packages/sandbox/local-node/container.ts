import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RestartPolicy, TerminatedState } from '../engine.ts';
import { ApiError, isTransient, pause, timeoutSignal } from '../engine.ts';
import { backOffMs, goDuration } from './back-off.ts';
import { MissingReferenceError } from './environment.ts';
import { graceSecondsOf, type RunnableContainer } from './fields.ts';
import { prepareLaunch } from './launch.ts';
import { CreateContainerError, StartError } from './launch-errors.ts';
import type { LogFile } from './log-server.ts';
import { LogWriter } from './log-writer.ts';
import type { NodeContext } from './node-context.ts';
import type { PodSandbox } from './pod-sandbox.ts';
import { runPreStop } from './pre-stop.ts';
import { probeUntil } from './probe.ts';
import { type ContainerProcess, type Launch, startProcess } from './process.ts';
import type { Ended } from './process-group.ts';
import { restartsAfter } from './restart-rule.ts';
import type { ContainerRecord } from './status.ts';
import { type Termination, terminate } from './termination.ts';
import { readTerminationMessage } from './termination-message.ts';

/** A terminated container shows as terminated for this long, and only then as waiting, as on a kubelet. */
const TERMINATED_SHOWN_MS = 10_000;
/** Retries what no watch reports, such as a missing folder. */
const RETRY_MS = 5_000;

interface ContainerOptions {
  readonly spec: RunnableContainer;
  readonly policy: RestartPolicy;
  readonly sandbox: PodSandbox;
  readonly context: NodeContext;
  /** As the node left it before it restarted. */
  readonly record: ContainerRecord;
  onChange(): void;
}

/** One container of a pod, across its restarts. */
export class LocalContainer {
  readonly spec: RunnableContainer;
  record: ContainerRecord;
  readonly #options: ContainerOptions;
  #process: ContainerProcess | undefined;
  #writer: LogWriter | undefined;
  #backOff: number | undefined;
  #isEnding = false;

  constructor(options: ContainerOptions) {
    this.#options = options;
    this.spec = options.spec;
    this.record = options.record;
  }

  /** Runs and restarts the container by its policy, until it has ended for good or `stop` aborts. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const { terminated } = this.record.state;
      if (!terminated) {
        await this.#runOnce(this.record.restarts, stop);
      } else if (restartsAfter(this.#options.policy, terminated)) {
        await this.#backOffAfter(terminated, stop);
        await this.#runOnce(this.record.restarts + 1, stop);
      } else {
        return;
      }
    }
  }

  /**
   * Terminates the container; kills it after its grace period. Call it after `stop` was aborted; later calls do
   * nothing.
   */
  terminate(when: Pick<Termination, 'after' | 'deadline'>): void {
    if (!this.#process || this.#isEnding) return;
    this.#isEnding = true;
    void terminate(this.#process, { ...when, preStop: this.#preStopOf(this.#process) });
  }

  kill(): void {
    this.#process?.kill('SIGKILL');
  }

  /** Returns the log of this run or of the previous one, or the reason why there is none. */
  findLog(previous: boolean): LogFile | string {
    const { name } = this.#options.sandbox.pod.metadata;
    const { state, last, restarts } = this.record;
    if (previous && !last?.terminated) {
      return `previous terminated container "${this.spec.name}" in pod "${name}" not found`;
    }
    if (state.waiting && !last?.terminated) {
      return `container "${this.spec.name}" in pod "${name}" is waiting to start: ${state.waiting.reason}`;
    }
    // While a container waits for its restart, the run that ended last is both the current and the previous one.
    const path = this.#logPath(previous && !state.waiting ? restarts - 1 : restarts);
    if (!existsSync(path)) return `container "${this.spec.name}" in pod "${name}" has left no log`;
    return { path, writer: previous ? undefined : this.#writer };
  }

  async #runOnce(restarts: number, stop: AbortSignal): Promise<void> {
    try {
      const launch = await this.#prepare(stop);
      if (!launch || stop.aborted) return;
      const startedAt = new Date();
      const end = await this.#start(launch, restarts, startedAt);
      await this.#end(end, startedAt);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      this.#update({ restarts });
      await this.#end({ exitCode: 128, startError: error.message }, new Date());
    }
  }

  #start(launch: Launch, restarts: number, startedAt: Date): Promise<Ended> {
    const { context, sandbox } = this.#options;
    const { state, last } = this.record;
    this.#writer = new LogWriter(this.#logPath(restarts));
    rmSync(this.#logPath(restarts - 2), { force: true }); // like a kubelet, keeps only the previous log
    this.#process = startProcess(launch, this.#writer, context.reaper);
    this.#update({
      id: `local://${randomBytes(16).toString('hex')}`,
      restarts,
      state: { running: { startedAt: startedAt.toISOString() } },
      last: state.terminated ? { terminated: state.terminated } : last,
      ready: this.spec.readinessProbe === undefined,
    });
    const message = `Started container ${this.spec.name}`;
    context.recordEvent(sandbox.pod, { type: 'Normal', reason: 'Started', message });
    return this.#probeUntilEnd(this.#process);
  }

  async #probeUntilEnd(container: ContainerProcess): Promise<Ended> {
    const ended = new AbortController();
    const target = { address: this.#options.sandbox.address, ports: this.spec.ports ?? [], container };
    const { readinessProbe, livenessProbe } = this.spec;
    const onReady = (ready: boolean) => this.#update({ ready });
    void probeUntil(ended.signal, readinessProbe, target, { initially: false, onChange: onReady });
    const onAlive = (alive: boolean) => alive || this.#endUnhealthy(container);
    void probeUntil(ended.signal, livenessProbe, target, { initially: true, onChange: onAlive });
    return container.ended.finally(() => ended.abort());
  }

  /** As `restartPolicy` says, it then starts again. */
  #endUnhealthy(container: ContainerProcess): void {
    const { context, sandbox, policy } = this.#options;
    const { name } = this.spec;
    const next = policy === 'Never' ? '' : ', will be restarted';
    const message = `Container ${name} failed liveness probe${next}`;
    context.recordEvent(sandbox.pod, { type: 'Normal', reason: 'Killing', message });
    const grace = this.spec.livenessProbe?.terminationGracePeriodSeconds ?? graceSecondsOf(sandbox.pod);
    const deadline = timeoutSignal(grace * 1_000);
    void terminate(container, { deadline, preStop: this.#preStopOf(container) });
  }

  #preStopOf(container: ContainerProcess): Termination['preStop'] {
    const preStop = this.spec.lifecycle?.preStop;
    return (
      preStop &&
      (async () => {
        const why = await runPreStop(preStop, container);
        if (why) this.#warn('FailedPreStopHook', `PreStopHook failed: container "${this.spec.name}": ${why}`);
      })
    );
  }

  async #end(end: Ended, startedAt: Date): Promise<void> {
    this.#writer?.close();
    this.#writer = undefined;
    this.#process = undefined;
    const terminated: TerminatedState = {
      exitCode: end.exitCode,
      signal: end.signal,
      reason: end.startError ? 'StartError' : end.exitCode === 0 ? 'Completed' : 'Error',
      message: end.startError ?? (await this.#message(end)),
      startedAt: startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
    };
    this.#update({ state: { terminated }, ready: false });
  }

  async #message({ exitCode }: Ended): Promise<string | undefined> {
    if (exitCode === 0 || this.spec.terminationMessagePolicy !== 'FallbackToLogsOnError') return undefined;
    return readTerminationMessage(this.#logPath(this.record.restarts));
  }

  /** Waits until all that the container refers to exists; undefined if it is stopped meanwhile. */
  async #prepare(stop: AbortSignal): Promise<Launch | undefined> {
    const { sandbox, context } = this.#options;
    while (!stop.aborted) {
      const seen = sandbox.references.revision;
      try {
        const launch = await prepareLaunch(this.spec, sandbox, context);
        return stop.aborted ? undefined : launch;
      } catch (error) {
        if (stop.aborted) return undefined;
        this.#explain(error);
        const retry = AbortSignal.any([stop, AbortSignal.timeout(RETRY_MS)]);
        await sandbox.references.changedSince(seen, retry);
      }
    }
    return undefined;
  }

  /** An unavailable or refusing API server only delays the start. Any other error is a bug of the node. */
  #explain(error: unknown): void {
    if (isTransient(error)) return;
    if (error instanceof MissingReferenceError || error instanceof ApiError) {
      this.#wait('CreateContainerConfigError', error.message);
    } else if (error instanceof CreateContainerError) {
      this.#wait('CreateContainerError', error.message);
    } else {
      throw error;
    }
  }

  async #backOffAfter(terminated: TerminatedState, stop: AbortSignal): Promise<void> {
    const ranMs = Date.parse(terminated.finishedAt ?? '') - Date.parse(terminated.startedAt ?? '');
    this.#backOff = backOffMs(this.#backOff, ranMs);
    if (this.#backOff === 0) return;
    const { name, namespace, uid } = this.#options.sandbox.pod.metadata;
    const message = `back-off ${goDuration(this.#backOff)} restarting failed container=${this.spec.name} pod=${name}_${namespace}(${uid})`;
    this.#warn('BackOff', message);
    await pause(Math.min(this.#backOff, TERMINATED_SHOWN_MS), stop);
    if (stop.aborted || this.#backOff <= TERMINATED_SHOWN_MS) return;
    this.#update({ state: { waiting: { reason: 'CrashLoopBackOff', message } }, last: { terminated } });
    await pause(this.#backOff - TERMINATED_SHOWN_MS, stop);
    if (stop.aborted) this.#update({ state: { terminated } });
  }

  #wait(reason: string, message: string): void {
    const { waiting, terminated } = this.record.state;
    if (waiting?.reason === reason && waiting.message === message) return;
    this.#update({ state: { waiting: { reason, message } }, ...(terminated && { last: { terminated } }) });
    this.#warn('Failed', message);
  }

  #warn(reason: string, message: string): void {
    const { context, sandbox } = this.#options;
    context.recordEvent(sandbox.pod, { type: 'Warning', reason, message });
  }

  #update(change: Partial<ContainerRecord>): void {
    this.record = { ...this.record, ...change };
    this.#options.onChange();
  }

  #logPath(restarts: number): string {
    return join(this.#options.sandbox.dir, this.spec.name, `${restarts}.log`);
  }
}
