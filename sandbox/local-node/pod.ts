import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { PodStatus } from '../../contracts/kubernetes.ts';
import { Container } from './container.ts';
import type { RunnableContainer, RunnablePod } from './fields.ts';
import type { Ground } from './ground.ts';
import { type NamedPod, ownLines } from './hosts-file.ts';
import type { LogFile } from './log-server.ts';
import { namesOf, type Place, placeOf } from './place.ts';
import { recordOf } from './recovery.ts';
import { removePod } from './removal.ts';
import { podStatus } from './status.ts';
import { StatusWriter } from './status-writer.ts';

/** A pod on this node, from its first sight to its removal. */
export class LocalPod {
  #pod: RunnablePod;
  readonly #ground: Ground;
  readonly #place: Place;
  readonly #inits: Container[];
  readonly #apps: Container[];
  readonly #writer: StatusWriter;
  readonly #stop = new AbortController();
  readonly #startTime: string;
  #status: PodStatus | undefined;
  #verdict: { reason: string; message: string } | undefined;
  #finished = false;
  #removing = false;
  #released = false;
  #timers: NodeJS.Timeout[] = [];
  #running: Promise<void> = Promise.resolve();

  constructor(pod: RunnablePod, address: string, ground: Ground) {
    this.#pod = pod;
    this.#ground = ground;
    this.#place = placeOf(pod, address, ground);
    this.#status = pod.status;
    this.#startTime = (pod.status?.startTime as string | undefined) ?? new Date().toISOString();
    this.#inits = (pod.spec.initContainers ?? []).map((spec) => this.#container(spec, 'init'));
    this.#apps = pod.spec.containers.map((spec) => this.#container(spec, 'app'));
    this.#writer = new StatusWriter(ground.client, pod, ground.log);
  }

  get isOver(): boolean {
    return this.#finished;
  }

  get address(): string {
    return this.#place.address;
  }

  get named(): NamedPod {
    const { metadata, spec } = this.#pod;
    return {
      namespace: metadata.namespace ?? 'default',
      name: metadata.name,
      labels: metadata.labels ?? {},
      address: this.address,
      ready: this.#apps.every(({ record }) => record.ready) && !metadata.deletionTimestamp,
      hostname: spec.hostname,
      subdomain: spec.subdomain,
    };
  }

  /** Runs it to its end. A pod that an earlier life of the node has brought to its end is only kept for its logs. */
  start(): void {
    if (this.#pod.status?.phase === 'Succeeded' || this.#pod.status?.phase === 'Failed') {
      this.#finished = true;
      this.#released = true;
      if (this.#pod.metadata.deletionTimestamp) this.terminate();
      return;
    }
    const { names } = this.#ground;
    const own = { address: this.address, names: namesOf(this.#pod, this.#place.hostname) };
    names.add({
      path: this.#place.hostsFile,
      namespace: this.named.namespace,
      own: ownLines(own, this.#pod.spec.hostAliases ?? []),
    });
    this.#limitTime();
    this.#report();
    this.#warnOfVolumes();
    this.#running = this.#run().catch((error) => {
      this.#ground.log.error(
        { err: error, pod: this.#pod.metadata.name },
        'a pod ended by a fault of the node',
      );
      this.#verdict = { reason: 'LocalNodeError', message: (error as Error).message };
      this.kill('SIGKILL');
      this.#finish();
    });
    if (this.#pod.metadata.deletionTimestamp) this.terminate();
  }

  update(pod: RunnablePod): void {
    this.#pod = pod;
    if (pod.metadata.deletionTimestamp) this.terminate();
    this.#ground.names.refresh(); // its labels may have changed
  }

  /** Asks it to end, forces it after its grace period, then removes it from the API server. May be called again. */
  terminate(): void {
    if (!this.#finished) this.#end(this.#pod.metadata.deletionGracePeriodSeconds ?? 30);
    if (this.#removing) return;
    this.#removing = true;
    this.#running
      .then(() => this.#writer.settled())
      .then(() => removePod(this.#ground.client, this.#pod))
      .catch((error) => this.#ground.log.warn({ err: error }, 'could not remove a pod that has ended'));
  }

  /** Its object is gone: nothing to report any more. */
  async destroy(): Promise<void> {
    this.#writer.close();
    this.#stop.abort();
    this.kill('SIGKILL');
    await this.#running;
    this.#release();
    rmSync(this.#place.dir, { recursive: true, force: true });
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    for (const container of [...this.#apps, ...this.#inits]) container.kill(signal);
  }

  /** Ends its processes without a word to the API server, as when a machine goes down. */
  async halt(graceMs: number): Promise<void> {
    this.#writer.close();
    this.#end(graceMs / 1000);
    await this.#running;
    this.#clearTimers();
  }

  findLog(container: string, previous: boolean): LogFile | string {
    const found = [...this.#apps, ...this.#inits].find(({ spec }) => spec.name === container);
    if (found) return found.findLog(previous);
    return `container ${container} is not valid for pod ${this.#pod.metadata.name}`;
  }

  async #run(): Promise<void> {
    const stop = this.#stop.signal;
    await Promise.race([this.#ground.names.known, once(stop, 'abort')]);
    const sidecars: Promise<void>[] = [];
    for (const init of this.#inits) {
      if (stop.aborted) break;
      const running = init.run(stop);
      if (isSidecar(init.spec)) sidecars.push(running);
      else await running;
      if (!isSidecar(init.spec) && init.record.state.terminated?.exitCode !== 0)
        return this.#finishWith(sidecars);
    }
    await Promise.all(this.#apps.map((app) => app.run(stop)));
    await this.#finishWith(sidecars);
  }

  async #finishWith(sidecars: readonly Promise<void>[]): Promise<void> {
    if (!this.#stop.signal.aborted) this.#end(this.#pod.spec.terminationGracePeriodSeconds ?? 30);
    for (const init of this.#inits) init.kill('SIGTERM');
    await Promise.all(sidecars);
    this.#finish();
  }

  #finish(): void {
    this.#finished = true;
    this.#clearTimers();
    this.#report();
    this.#release();
  }

  /** SIGTERM now, SIGKILL later; a second call can only shorten the time. */
  #end(graceSeconds: number): void {
    this.#stop.abort();
    for (const app of this.#apps) app.kill('SIGTERM');
    for (const init of this.#inits) if (!isSidecar(init.spec)) init.kill('SIGTERM');
    this.#timers.push(setTimeout(() => this.kill('SIGKILL'), graceSeconds * 1000));
  }

  #limitTime(): void {
    const { activeDeadlineSeconds } = this.#pod.spec;
    if (!activeDeadlineSeconds) return;
    const left = Date.parse(this.#startTime) + activeDeadlineSeconds * 1000 - Date.now();
    const end = () => {
      this.#verdict = {
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
      };
      this.#end(this.#pod.spec.terminationGracePeriodSeconds ?? 30);
    };
    this.#timers.push(setTimeout(end, Math.min(Math.max(left, 0), 2 ** 31 - 1)));
  }

  /** Those that a manifest asks for: the API server adds a volume with the service account's token by itself. */
  #warnOfVolumes(): void {
    const { volumes = [] } = this.#pod.spec;
    const wanted = volumes.filter(({ name }) => !name.startsWith('kube-api-access-'));
    if (wanted.length === 0) return;
    const message = `the local node mounts no volumes: ${wanted.map(({ name }) => name).join(', ')}`;
    this.#ground.recordEvent(this.#pod, { type: 'Warning', reason: 'VolumesNotMounted', message });
  }

  #container(spec: RunnableContainer, kind: 'init' | 'app'): Container {
    const given = this.#pod.spec.restartPolicy ?? 'Always';
    return new Container({
      spec,
      policy: spec.restartPolicy ?? (kind === 'init' && given === 'Always' ? 'OnFailure' : given),
      place: this.#place,
      ground: this.#ground,
      record: recordOf(spec, kind, this.#pod),
      onChange: () => this.#report(),
    });
  }

  #report(): void {
    const facts = {
      pod: this.#pod,
      inits: this.#inits.map(({ record }) => record),
      apps: this.#apps.map(({ record }) => record),
      address: this.address,
      hostIP: this.#ground.hostIP,
      startTime: this.#startTime,
      finished: this.#finished,
      verdict: this.#verdict,
    };
    this.#status = podStatus(facts, this.#status, new Date().toISOString());
    this.#writer.submit(this.#status);
    this.#ground.names.refresh();
  }

  #release(): void {
    this.#clearTimers();
    if (this.#released) return;
    this.#released = true;
    this.#ground.names.remove(this.#place.hostsFile);
    this.#ground.addresses.release(this.address);
  }

  #clearTimers(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }
}

const isSidecar = (spec: RunnableContainer) => spec.restartPolicy === 'Always';
