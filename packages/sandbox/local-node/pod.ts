import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { callAfter, errorMessage, type PodStatus } from '../engine.ts';
import { limitTime } from './deadline.ts';
import { graceSecondsOf, isSidecar, type RunnablePod } from './fields.ts';
import type { PodEndpoint } from './hosts-file.ts';
import type { LogFile } from './log-server.ts';
import type { NodeContext } from './node-context.ts';
import { PodContainers } from './pod-containers.ts';
import { createPodSandbox, hostsFileOf, type PodSandbox } from './pod-sandbox.ts';
import { removePod } from './remove-pod.ts';
import { podStatus } from './status.ts';
import { StatusWriter } from './status-writer.ts';

/** A pod on this node, from the first event to its removal. */
export class LocalPod {
  #pod: RunnablePod;
  readonly #context: NodeContext;
  readonly #sandbox: PodSandbox;
  readonly #containers: PodContainers;
  readonly #writer: StatusWriter;
  readonly #stop = new AbortController();
  readonly #deadline = new AbortController();
  readonly #appsEnded = Promise.withResolvers<void>();
  readonly #startTime: string;
  #status: PodStatus | undefined;
  #cause: { reason: string; message: string } | undefined;
  #ended = false;
  #finished = false;
  #removing = false;
  #released = false;
  /** The node stops: keeps the volumes, because the restarted node continues the pod. */
  #isHalted = false;
  #timers: (() => void)[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(pod: RunnablePod, address: string, context: NodeContext) {
    this.#pod = pod;
    this.#context = context;
    const { signal } = this.#stop;
    this.#sandbox = createPodSandbox(pod, { address, context, signal, current: () => this.#pod });
    this.#status = pod.status;
    this.#startTime = pod.status?.startTime ?? new Date().toISOString();
    const onChange = () => this.#report();
    this.#containers = new PodContainers({ sandbox: this.#sandbox, context, onChange });
    this.#writer = new StatusWriter(context.client, pod, context.log);
  }

  get isOver(): boolean {
    return this.#finished;
  }

  /** Whether its address is in its status: a kubelet creates the sandbox when all volumes are mounted. */
  get hasSandbox(): boolean {
    return this.#sandbox.volumes.areSetUp || this.#pod.status?.podIP !== undefined;
  }

  get address(): string {
    return this.#sandbox.address;
  }

  get endpoint(): PodEndpoint {
    const { metadata, spec } = this.#pod;
    return {
      namespace: metadata.namespace ?? 'default',
      name: metadata.name,
      labels: metadata.labels ?? {},
      address: this.address,
      ready: this.#containers.areReady && !metadata.deletionTimestamp,
      hostname: spec.hostname,
      subdomain: spec.subdomain,
    };
  }

  /** Runs the pod to its end. A pod that had ended before the node restarted is kept only for its logs. */
  start(): void {
    if (this.#pod.status?.phase === 'Succeeded' || this.#pod.status?.phase === 'Failed') {
      this.#finished = true;
      this.#released = true;
      if (this.#pod.metadata.deletionTimestamp) this.terminate();
      return;
    }
    this.#context.hostsFiles.add(hostsFileOf(this.#pod, this.#sandbox));
    this.#limitTime();
    this.#report();
    this.#warnOfSharedPorts();
    this.#running = this.#run().catch((error) => {
      this.#context.log.error(
        { err: error, pod: this.#pod.metadata.name },
        'a pod failed because of an error of the node',
      );
      this.#cause = { reason: 'LocalNodeError', message: errorMessage(error) };
      this.#containers.kill();
      return this.#finish();
    });
    if (this.#pod.metadata.deletionTimestamp) this.terminate();
  }

  update(pod: RunnablePod): void {
    const { labels, annotations } = this.#pod.metadata;
    this.#pod = pod;
    if (pod.metadata.deletionTimestamp) this.terminate();
    // Volumes may contain them.
    if (!isDeepStrictEqual([labels, annotations], [pod.metadata.labels, pod.metadata.annotations])) {
      this.#sandbox.references.changed();
    }
    this.#context.hostsFiles.refresh(); // its labels may have changed
  }

  /** Terminates the pod, kills it after its grace period, then deletes its object. May be called again. */
  terminate(): void {
    if (!this.#finished) this.#end(this.#pod.metadata.deletionGracePeriodSeconds ?? 30);
    if (this.#removing) return;
    this.#removing = true;
    this.#running
      .then(() => this.#writer.settled())
      .then(() => removePod(this.#context.client, this.#pod))
      .catch((error) => this.#context.log.warn({ err: error }, 'could not delete a terminated pod'));
  }

  /** For a pod whose object was deleted: ends its processes and removes its files. */
  async destroy(): Promise<void> {
    this.#writer.close();
    this.#stop.abort();
    this.#containers.kill();
    await this.#running;
    this.#release();
    await this.#sandbox.volumes.remove();
    await rm(this.#sandbox.dir, { recursive: true, force: true });
  }

  /** Ends its processes without reporting to the API server, like a machine that shuts down. */
  async halt(graceMs: number): Promise<void> {
    this.#isHalted = true;
    this.#writer.close();
    this.#end(graceMs / 1000);
    await this.#running;
    this.#clearTimers();
  }

  findLog(container: string, previous: boolean): LogFile | string {
    const found = this.#containers.find(container);
    if (found) return found.findLog(previous);
    return `container ${container} is not valid for pod ${this.#pod.metadata.name}`;
  }

  async #run(): Promise<void> {
    const stop = this.#stop.signal;
    await Promise.race([this.#context.hostsFiles.known, once(stop, 'abort')]);
    await this.#sandbox.volumes.setUp(stop);
    this.#report(); // report the address before a container starts: others may need it to provide what the pod waits for
    const sidecars: Promise<void>[] = [];
    for (const init of this.#containers.inits) {
      if (stop.aborted) break;
      const running = init.run(stop);
      if (isSidecar(init.spec)) sidecars.push(running);
      else await running;
      if (!isSidecar(init.spec) && init.record.state.terminated?.exitCode !== 0)
        return this.#finishWith(sidecars);
    }
    await Promise.all(this.#containers.apps.map((app) => app.run(stop)));
    await this.#finishWith(sidecars);
  }

  async #finishWith(sidecars: readonly Promise<void>[]): Promise<void> {
    if (!this.#stop.signal.aborted) this.#end(graceSecondsOf(this.#pod));
    this.#appsEnded.resolve();
    await Promise.all(sidecars);
    await this.#finish();
  }

  /** Reports in two updates, like a kubelet: first that the containers have ended, then the final phase. */
  async #finish(): Promise<void> {
    this.#stop.abort();
    this.#clearTimers();
    this.#ended = true;
    this.#report();
    await this.#writer.settled();
    this.#finished = true;
    this.#report();
    this.#release();
    if (!this.#isHalted) this.#removeVolumes();
  }

  #removeVolumes(): void {
    const { log } = this.#context;
    this.#sandbox.volumes.remove().catch((error) => log.warn({ err: error }, 'could not remove volumes'));
  }

  /** Runs hooks and sends SIGTERM, to sidecars last, and SIGKILL later. A second call can only shorten the time. */
  #end(graceSeconds: number): void {
    this.#stop.abort();
    this.#timers.push(callAfter(graceSeconds * 1000, () => this.#deadline.abort()));
    const { signal: deadline } = this.#deadline;
    this.#containers.terminate({ deadline, appsEnded: this.#appsEnded.promise });
  }

  #limitTime(): void {
    const cancel = limitTime(this.#pod.spec.activeDeadlineSeconds, this.#startTime, () => {
      this.#cause = {
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
      };
      this.#end(graceSecondsOf(this.#pod));
    });
    if (cancel) this.#timers.push(cancel);
  }

  /** A pod with hostNetwork shares the machine's ports, so it gets an event that says so. */
  #warnOfSharedPorts(): void {
    if (!this.#pod.spec.hostNetwork) return;
    const message = `hostNetwork: the pod has the node's address ${this.address} and shares its ports with this machine's programs and all other hostNetwork pods`;
    this.#context.recordEvent(this.#pod, { type: 'Normal', reason: 'HostNetwork', message });
  }

  #report(): void {
    const facts = {
      pod: this.#pod,
      inits: this.#containers.inits.map(({ record }) => record),
      apps: this.#containers.apps.map(({ record }) => record),
      address: this.hasSandbox ? this.address : undefined,
      hostIP: this.#context.hostIP,
      startTime: this.#startTime,
      ended: this.#ended,
      finished: this.#finished,
      cause: this.#cause,
    };
    this.#status = podStatus(facts, this.#status, new Date().toISOString());
    this.#writer.submit(this.#status);
    this.#context.hostsFiles.refresh();
  }

  #release(): void {
    this.#clearTimers();
    if (this.#released) return;
    this.#released = true;
    this.#context.hostsFiles.remove(this.#sandbox.hostsFile);
    this.#context.addresses.release(this.address);
    this.#context.devices.release(this.#pod.metadata.uid ?? '');
  }

  #clearTimers(): void {
    for (const cancel of this.#timers.splice(0)) cancel();
  }
}
