import type { Pod } from '../../contracts/kubernetes.ts';
import { LEDGER_QUERY, type LedgerPage } from '../../contracts/ledger.ts';
import { STATUS_QUERY } from '../../contracts/messages.ts';
import { hasPodEnded, isSpare } from '../../contracts/pod.ts';
import type { JobStatus, LedgerEntry } from '../../contracts/types.ts';
import { illFormedText } from '../../frameworks/manifest/ill-formed-text.ts';
import { outcomeIn } from '../workflows/workflow-messages.ts';
import { leftBehindIn } from './left-behind.ts';
import { type LimitCheck, limitsOf } from './limits.ts';
import { type Effect, idOf, MOVES, type MoveName, podsOf, type Subject } from './moves.ts';
import { QueueChecks } from './queue-checks.ts';
import { manifestOfRival, rivalName } from './queues.ts';
import { manifestOf, type Schedule } from './schedules.ts';
import { settle } from './virtual-time.ts';
import type { WorkflowExecution } from './workflow-execution.ts';
import { type Say, World } from './world.ts';

/** Thrown when something happened that never may. */
class InvariantViolation extends Error {}

const JOB = { namespace: 'team-a', name: 'a' };
const BYSTANDER = { namespace: 'team-b', name: 'b' };
const ALL_WELL = {
  hasMaster: true,
  workers: 1,
  restartPolicy: 'Never',
  cleanPodPolicy: 'All',
  policy: 'none',
  poison: 'none',
} as const;

/** Within this time after all faults are over, every job has ended and nothing of it is left that should go. */
const ENDS_WITHIN_MS = 3_600_000;
/** Who suspended a job in the end resumes it: that may take a while, e.g. as pods go. */
const RESUMED_EVERY_MS = 30_000;
/** Back-off of what could not be read or sent. */
const NEWS_MS = 30_000;
/** One is noticed after a minute and a half of silence, at the second look. */
const DEAD_CONNECTION_MS = 240_000;
/** What somebody wrote on an anchor is looked for every twentieth scan interval. */
const FULL_ROUND_MS = 900_000;
/** Workflow tasks of a job: a loop without pauses takes more. */
const MOST_TASKS = 150;
const TASKS_A_MINUTE = 20;

/** Runs a schedule, and throws an InvariantViolation if something happened that never may. */
export async function runSchedule(schedule: Schedule, say?: Say): Promise<void> {
  const world = new World(schedule.seed, schedule.queue);
  try {
    await new ScheduleRun(schedule, world, say).run();
  } finally {
    world.close();
    await settle();
  }
}

class ScheduleRun {
  readonly #schedule: Schedule;
  readonly #world: World;
  readonly #say: Say | undefined;
  readonly #subject: Subject;
  /** Jobs that no move is about. */
  readonly #others: readonly Subject[];
  readonly #queue: QueueChecks | undefined;
  readonly #done = new Set<MoveName>();
  #resumedAt = 0;

  constructor(schedule: Schedule, world: World, say: Say | undefined) {
    this.#schedule = schedule;
    this.#world = world;
    this.#say = say;
    this.#subject = { world, job: JOB };
    const { hasBystander, queue } = schedule;
    const rivals = (queue?.rivals ?? []).map((_, index) => rivalName(index));
    this.#others = [...(hasBystander ? [BYSTANDER] : []), ...rivals].map((job) => ({ world, job }));
    this.#queue = queue && new QueueChecks(world, queue, JOB);
  }

  async run(): Promise<void> {
    const { job, hasBystander, queue, moves } = this.#schedule;
    const world = this.#world;
    this.#say?.(`A ${JSON.stringify(job)}${hasBystander ? ', and a job of somebody else' : ''}`);
    world.submit(manifestOf(job, JOB, queue));
    if (hasBystander) world.submit(manifestOf(ALL_WELL, BYSTANDER));
    this.#submitRivals((after) => after === 0);
    await settle();
    for (const [index, { does, which, steps }] of moves.entries()) {
      this.#say?.(`- ${does} (${which})`);
      this.#done.add(does);
      await MOVES[does].run(this.#subject, which);
      await settle();
      await world.go(steps, this.#say);
      this.#say?.(this.#place());
      await this.#queue?.checkSuspended();
      this.#submitRivals((after) => after === index + 1);
    }
    this.#submitRivals((after) => after > moves.length);
    this.#say?.('- all is well from now on');
    world.heal();
    const healedAt = world.time.now;
    await this.#runToEnd();
    await this.#check();
    for (const wrong of this.#queue?.broken(healedAt) ?? []) throw new InvariantViolation(wrong);
  }

  get #subjects(): readonly Subject[] {
    return [this.#subject, ...this.#others];
  }

  #submitRivals(isNow: (after: number) => boolean): void {
    const { queue } = this.#schedule;
    for (const [index, { after }] of (queue?.rivals ?? []).entries())
      if (isNow(after)) this.#world.submit(manifestOfRival(queue!, index));
  }

  async #runToEnd(): Promise<void> {
    const world = this.#world;
    const until = world.time.now + ENDS_WITHIN_MS;
    let isReported = false;
    while (!this.#isOver()) {
      await world.go(1_000, this.#say);
      if (world.time.now > until) throw new InvariantViolation(`a job does not end: ${this.#place()}`);
      if (this.#allRun()) {
        if (!isReported) await this.#checkStatus();
        isReported = true;
        for (const { metadata } of this.#ownPods()) world.nodes.fates.set(metadata.uid!, 'succeeds');
        continue;
      }
      this.#resumeSuspended();
      await world.pass(60_000);
    }
  }

  #isOver(): boolean {
    return this.#world.temporal.open().length === 0 && this.#leftPods().length === 0;
  }

  #ownPods = (): readonly Pod[] => this.#subjects.flatMap((subject) => podsOf(subject));

  /** All members of all open jobs run that do not wait for others to end, and no program has been told to end. */
  #allRun(): boolean {
    const { temporal, nodes } = this.#world;
    const isOpen = ({ job }: Subject) => temporal.last(idOf(job))?.isOpen;
    const pods = this.#subjects.filter(isOpen).flatMap((subject) => podsOf(subject));
    const waits = (pod: Pod) => this.#queue !== undefined && nodes.waits(pod);
    const going = pods.filter((pod) => !hasPodEnded(pod) && !isSpare(pod) && !waits(pod));
    return (
      going.length > 0 &&
      going.every(({ status, metadata }) => status?.phase === 'Running' && !metadata.deletionTimestamp) &&
      going.some(({ metadata }) => !nodes.fates.has(metadata.uid!))
    );
  }

  #resumeSuspended(): void {
    const run = this.#world.temporal.last(idOf(JOB));
    const { now } = this.#world.time;
    if (!this.#done.has('ana suspends it') || now < this.#resumedAt + RESUMED_EVERY_MS) return;
    this.#resumedAt = now;
    if (run?.isOpen && run.tasks > 0) run.update('resume', {});
  }

  /** What a user is told is true, once the news had time to arrive. */
  async #checkStatus(): Promise<void> {
    const world = this.#world;
    await world.live(this.#newsWithin(), this.#say);
    if (!this.#allRun()) return;
    for (const subject of this.#subjects) {
      const run = world.temporal.last(idOf(subject.job));
      if (!run?.isOpen) continue;
      const status = (await run.query(STATUS_QUERY, [])) as JobStatus;
      const running = podsOf(subject).filter((pod) => !hasPodEnded(pod) && !isSpare(pod)).length;
      const active = Object.values(status.replicaStatuses).reduce((sum, { active = 0 }) => sum + active, 0);
      expectThat(
        `${subject.job.name} is told to be ${status.phase} with ${active} active, and ${running} of its pods run`,
        status.phase !== 'Running' || active === running,
      );
    }
  }

  #newsWithin(): number {
    if ([...this.#done].some((name) => MOVES[name].effect === 'intervention')) return FULL_ROUND_MS;
    return this.#done.has('a stream of the watcher goes blind') ? DEAD_CONNECTION_MS : NEWS_MS;
  }

  /** Pods of ended jobs that their policy does not keep. */
  #leftPods(): readonly Pod[] {
    const { temporal } = this.#world;
    return this.#subjects.flatMap((subject) => {
      const run = temporal.last(idOf(subject.job));
      if (!run || run.isOpen) return [];
      const keeps = subject === this.#subject ? this.#schedule.job.cleanPodPolicy : 'All';
      const isStopped = run.status === 'Terminated' || outcomeOf(run)?.phase === 'Stopped';
      return podsOf(subject).filter((pod) => {
        if (isStopped || keeps === 'All' || isSpare(pod)) return true;
        return keeps === 'Running' && !hasPodEnded(pod);
      });
    });
  }

  async #check(): Promise<void> {
    const { temporal, watching } = this.#world;
    for (const run of temporal.all()) {
      const minutes = ((run.closedAt ?? Date.now()) - run.startedAt) / 60_000;
      const most = MOST_TASKS + TASKS_A_MINUTE * minutes;
      expectThat(
        `${run.workflowId} took ${run.tasks} workflow tasks in ${minutes} minutes`,
        run.tasks <= most,
      );
      if (run.type === 'trainingJob') await this.#checkRecord(run);
    }
    const { pods, wrong } = leftBehindIn(this.#world.server.changes);
    for (const sentence of wrong) throw new InvariantViolation(sentence);
    expectThat('no pod was left behind', pods > 0 || !this.#schedule.leavesPods);
    this.#checkOutcome(temporal.last(idOf(JOB))!);
    for (const { job } of this.#others)
      this.#checkUndisturbed(temporal.last(idOf(job))!, 'the job of somebody else');
    await this.#world.live(NEWS_MS, this.#say);
    const why = watching.readiness.why();
    expectThat(`the watcher is not ready: ${why}`, why === undefined);
  }

  #checkOutcome(run: WorkflowExecution): void {
    if (this.#schedule.job.poison === 'loneSurrogate') {
      this.#checkRefused(run);
      return;
    }
    const effects = new Set<Effect>([...this.#done].map((name) => MOVES[name].effect));
    // A program that reports nothing for too long is in trouble, too.
    if (this.#schedule.job.policy.startsWith('stall')) effects.add('trouble');
    if (!effects.has('intervention') && !effects.has('trouble')) {
      this.#checkUndisturbed(run, 'a job without trouble');
      return;
    }
    const outcome = outcomeOf(run);
    if (outcome?.phase === 'Completed') {
      const succeeded = this.#world.server.changes.some(
        ({ after }) =>
          (after as Pod | undefined)?.status?.phase === 'Succeeded' &&
          after?.metadata.namespace === JOB.namespace,
      );
      expectThat('a job is Completed of which no pod has succeeded', succeeded);
    }
    if (!effects.has('intervention')) {
      const isRight = outcome !== undefined && outcome.phase !== 'Stopped';
      expectThat(`a job is ${outcome?.phase ?? run.status} that nobody stopped`, isRight);
    }
  }

  /** Whatever else happens, nothing is created for it. */
  #checkRefused(run: WorkflowExecution): void {
    const made = this.#world.server.changes.filter(
      ({ after }) => after?.metadata.namespace === JOB.namespace,
    );
    expectThat(`${made.length} objects of a refused job were written`, made.length === 0);
    const { cause, phase } = outcomeOf(run) ?? {};
    const isRight = cause?.reason === 'InvalidManifest' || phase === 'Stopped' || run.status === 'Terminated';
    expectThat(`a refused job is ${phase}: ${cause?.message}`, isRight);
  }

  #checkUndisturbed(run: WorkflowExecution, whose: string): void {
    const outcome = outcomeOf(run);
    const { phase, attempt, restarts, cause } = outcome ?? {};
    // A job that waits begins anew if it has to give back what it had.
    const isFirst = attempt === 1 || this.#queue !== undefined;
    const isRight = phase === 'Completed' && isFirst && restarts === 0;
    expectThat(
      `${whose} is ${phase ?? run.status} after attempt ${attempt} and ${restarts} restarts (${cause?.message})`,
      isRight,
    );
  }

  async #checkRecord(run: WorkflowExecution): Promise<void> {
    if (run.tasks === 0) return;
    const entries: LedgerEntry[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page = (await run.query(LEDGER_QUERY, [{ from }])) as LedgerPage;
      entries.push(...page.entries);
      from = page.next;
    }
    const record = [entries, await run.query(STATUS_QUERY, []), outcomeOf(run)];
    const [fault] = illFormedText(record);
    expectThat(`the record of a job is no Unicode at ${fault?.path}`, fault === undefined);
    const check: LimitCheck = {
      changes: this.#world.server.changes,
      entries,
      namespace: run.workflowId.split('/')[1]!,
    };
    for (const wrong of limitsOf(check)) throw new InvariantViolation(wrong);
  }

  #place(): string {
    const { temporal, nodes } = this.#world;
    const jobs = temporal.all().map((run) => {
      const [details = ''] = run.host.details.split('\n');
      return `${run.workflowId} ${run.status} ${details}; ${run.host.activities.map(({ type }) => type).join(', ')}`;
    });
    const pods = nodes.pods.map(({ metadata, status, spec }) => {
      const state = JSON.stringify(status?.containerStatuses?.[0]?.state ?? {});
      return `${metadata.name} ${metadata.deletionTimestamp ? 'leaving ' : ''}${status?.phase} on ${spec.nodeName} ${state}`;
    });
    return [`  at ${performance.now() / 1000} s`, ...jobs, ...pods].join('\n    ');
  }
}

const outcomeOf = ({ host: { ending } }: WorkflowExecution) => outcomeIn(ending);

function expectThat(what: string, holds: boolean): void {
  if (!holds) throw new InvariantViolation(`violated: ${what}`);
}
