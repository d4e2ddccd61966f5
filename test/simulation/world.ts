import pino from 'pino';
import { createActivities } from '../../activities/activities.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { fenceBy } from '../../activities/support/fence.ts';
import { JobCache } from '../../activities/support/job-cache.ts';
import { Semaphore } from '../../activities/support/semaphore.ts';
import { ClusterClient } from '../../cluster/client.ts';
import type { ConfigMap } from '../../contracts/kubernetes.ts';
import { workflowIdOf } from '../../contracts/labels.ts';
import { DEFAULT_CONVENTIONS } from '../../contracts/training-job.ts';
import { Readiness } from '../../leader/readiness.ts';
import { type LaneGrants, noGrants } from '../../watcher/lanes/lanes-loop.ts';
import { LeaderSession } from '../../watcher/leader-session.ts';
import { lanesReader } from '../../worker/lanes-reader.ts';
import { StatusDisplay } from '../../worker/status-display.ts';
import { cleanUpOrphan } from '../../workflows/clean-up-orphan.ts';
import { expireJob } from '../../workflows/expire-job.ts';
import { trainingJob } from '../../workflows/training-job.ts';
import { START } from '../machines/machine-run.ts';
import { ApiNetwork } from './api-network.ts';
import { ModelApiServer } from './api-server.ts';
import { diceOf } from './dice.ts';
import { memoryEvidence } from './evidence.ts';
import { ModelLogs } from './logs.ts';
import { ModelNodes, NODE_NAMES } from './nodes.ts';
import { ModelProcess } from './process.ts';
import { hasGangs, hasLanes, LANES_AT, lanesOf, type QueueChoice, ROOM_OF_NODE } from './queues.ts';
import type { Step } from './step.ts';
import { TASK_QUEUE } from './temporal-answers.ts';
import { ModelTemporal } from './temporal-server.ts';
import { settle, VirtualTime } from './virtual-time.ts';
import { type ModelWorker, WorkflowTasks } from './workflow-tasks.ts';

const HOME = { installation: 'installation-1', clusterId: 'cluster-1' };
const ACCESS = { server: 'model', namespace: 'default', tls: async () => ({}), headers: async () => ({}) };

interface Watching {
  readonly process: ModelProcess;
  readonly readiness: Readiness;
  readonly leadership: AbortController;
  /** What this process has granted while it led, at any time. */
  readonly grants: LaneGrants;
}

/**
 * signalbox, a cluster, a Temporal server and the time, all in this process and all from one seed. Nothing happens by
 * itself: `steps` are what can happen next, and whoever drives the world chooses.
 */
export class World {
  readonly random: () => number;
  readonly time: VirtualTime;
  readonly server: ModelApiServer;
  readonly network: ApiNetwork;
  readonly logs = new ModelLogs();
  readonly nodes: ModelNodes;
  readonly temporal: ModelTemporal;
  readonly tasks: WorkflowTasks;
  readonly evidence = memoryEvidence();
  watching!: Watching;
  /** Watchers that do not lead any more. */
  readonly #former: ModelProcess[] = [];
  readonly #queue: QueueChoice | undefined;
  #processes = 0;
  readonly #log = pino({ level: 'silent' });

  constructor(seed: number, queue?: QueueChoice) {
    this.#queue = queue;
    this.random = diceOf(seed);
    this.time = new VirtualTime(START, this.random);
    this.time.install();
    this.server = new ModelApiServer(this.random);
    this.network = new ApiNetwork(this.server, this.logs);
    const room = hasGangs(queue) ? ROOM_OF_NODE : undefined;
    this.nodes = new ModelNodes(this.server, this.logs, { random: this.random, room });
    if (queue && hasLanes(queue)) this.server.add('configmaps', lanesOf(queue));
    this.temporal = new ModelTemporal({ trainingJob, cleanUpOrphan, expireJob }, this.random, (token) =>
      this.tasks.activityOf(token),
    );
    this.tasks = new WorkflowTasks(this.temporal, this.random);
    this.tasks.workers = [this.#worker(), this.#worker()];
    this.beginWatcher();
  }

  close(): void {
    for (const { process } of [...this.tasks.workers, this.watching]) process.isDead = true;
    for (const process of this.#former) process.isDead = true;
    this.watching.leadership.abort();
    this.time.uninstall();
  }

  submit(manifest: { readonly metadata: { readonly name: string; readonly namespace: string } }): void {
    this.temporal.start(workflowIdOf(manifest.metadata), 'trainingJob', [manifest]);
  }

  // Processes.

  beginWatcher(): void {
    this.#lead(new ModelProcess('watcher', ++this.#processes), noGrants());
  }

  /** The leader loses its lease, and the process lives on: it leads again, or another one does. */
  changeLeader(isSame: boolean): void {
    const { process, leadership, grants } = this.watching;
    process.run(() => leadership.abort());
    if (isSame && process.isRunning) {
      this.#lead(process, grants);
      return;
    }
    this.#former.push(process);
    this.beginWatcher();
  }

  #lead(process: ModelProcess, grants: LaneGrants): void {
    const readiness = new Readiness();
    const leadership = new AbortController();
    process.run(() => {
      const tools = {
        temporal: this.temporal.connect(process),
        cluster: new ClusterClient(ACCESS, {}, this.network.connect(process)),
        home: HOME,
        noteForeign: () => undefined,
        taskQueue: TASK_QUEUE,
        scanIntervalMs: 30_000,
        grants,
        ...(hasLanes(this.#queue) ? { lanes: LANES_AT } : {}),
        readiness,
        log: this.#log,
      };
      void new LeaderSession(tools, leadership.signal).run();
    });
    this.watching = { process, readiness, leadership, grants };
  }

  killWatcher(): void {
    const { process, leadership } = this.watching;
    this.#kill(process);
    // The garbage of a dead process must not hold on to this one.
    leadership.abort();
    this.beginWatcher();
  }

  killWorker(which: number): void {
    const { workers } = this.tasks;
    const killed = workers[which % workers.length]!;
    this.#kill(killed.process);
    this.tasks.workers = [...workers.filter((worker) => worker !== killed), this.#worker()];
  }

  /** One of the workers, or the watcher. */
  pause(which: number): void {
    const all = [...this.tasks.workers.map(({ process }) => process), this.watching.process];
    all[which % all.length]!.isPaused = true;
  }

  resume(): void {
    for (const { process } of [...this.tasks.workers, this.watching]) process.isPaused = false;
    for (const process of this.#former) process.isPaused = false;
  }

  terminate(workflowId: string): void {
    const run = this.temporal.last(workflowId);
    if (!run?.isOpen) return;
    run.terminate();
    this.tasks.forget(run);
  }

  /** All that was wrong with machines, processes and connections is over. */
  heal(): void {
    this.network.heal();
    this.temporal.isAway = false;
    this.resume();
    this.nodes.unstartable.clear();
    this.nodes.areFull = false;
    this.setLanes({});
    for (const name of NODE_NAMES) this.nodes.find(name);
  }

  /** What an administrator writes of the second lane. */
  setLanes(fields: object): void {
    const { namespace, name } = LANES_AT;
    const found = this.server.find<ConfigMap>('configmaps', namespace, name);
    if (!found || !this.#queue) return;
    const text = lanesOf(this.#queue).data!['lanes.yaml']!;
    const config = JSON.parse(text) as { lanes: { b: object } };
    Object.assign(config.lanes.b, fields);
    const data = { 'lanes.yaml': JSON.stringify(config) };
    this.server.write('configmaps', found, { data });
  }

  #kill(process: ModelProcess): void {
    process.isDead = true;
    this.network.cut(process, this.random);
    this.temporal.cut(process, this.random);
  }

  #worker(): ModelWorker {
    const process = new ModelProcess('worker', ++this.#processes);
    const temporal = this.temporal.connect(process);
    const cluster = new ClusterClient(ACCESS, {}, this.network.connect(process, fenceBy(temporal)));
    const clusterId = async () => HOME.clusterId;
    const display = new StatusDisplay({ cluster, clusterId });
    const dependencies: Dependencies = {
      cluster,
      temporal,
      installation: HOME.installation,
      clusterId,
      namespace: 'default',
      connections: 32,
      bulk: new Semaphore(32),
      conventions: DEFAULT_CONVENTIONS,
      gang: 'none',
      coschedulingName: 'scheduler-plugins-scheduler',
      evidence: { store: 'files', directory: 'memory' },
      evidenceStore: this.evidence,
      jobs: new JobCache(),
      ...(hasLanes(this.#queue) ? { lanesReference: LANES_AT, lanes: lanesReader(cluster, LANES_AT) } : {}),
    };
    return { process, activities: createActivities(dependencies), show: (shown) => display.add(shown) };
  }

  // What happens.

  steps(): Step[] {
    return [...this.network.steps(), ...this.temporal.steps(), ...this.tasks.steps(), ...this.nodes.steps()];
  }

  async take(step: Step): Promise<void> {
    await step.run();
    await settle();
  }

  /** Takes so many steps by chance, as long as something can happen without the clock. */
  async go(steps: number, say?: Say): Promise<void> {
    for (let left = steps; left > 0; left--) {
      const possible = this.steps();
      const step = possible[Math.floor(this.random() * possible.length)];
      if (!step) return;
      say?.(`    ${step.does}`);
      await this.take(step);
    }
  }

  /** So much time goes by, and whatever can happen within it does. */
  async live(ms: number, say?: Say): Promise<void> {
    const until = this.time.now + ms;
    while (this.time.now < until) {
      await this.go(1_000, say);
      if (!(await this.pass(until - this.time.now))) this.time.now = until;
    }
    await this.go(1_000, say);
  }

  /** So much time goes by, whatever is under way. */
  async wait(ms: number): Promise<void> {
    const until = this.time.now + ms;
    while (this.time.now < until) if (!(await this.pass(until - this.time.now))) this.time.now = until;
  }

  /** The clock goes on to what is due next. Returns false if nothing is. */
  async pass(mostMs: number): Promise<boolean> {
    const { time } = this;
    // What a killed process has sent arrives soon, or never.
    if (this.network.finishGivenUp()) await settle();
    const next = Math.min(time.nextAt() ?? Infinity, this.tasks.nextAt() ?? Infinity);
    if (next === Infinity) return false;
    time.now = Math.max(time.now, Math.min(next, time.now + mostMs));
    if (time.fireDue()) await settle();
    if (await this.tasks.timeOut()) await settle();
    return true;
  }
}

export type Say = (line: string) => void;
