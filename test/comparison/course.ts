import type { CleanUpScope } from '../../contracts/clean-up.ts';
import type { Digest, PodFailure, RoleDigest } from '../../contracts/digest.ts';
import { podNameOf } from '../../contracts/labels.ts';
import type { PlannedRole, TrainingJob } from '../../contracts/training-job.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import { formatRanges } from '../../language/index-ranges.ts';
import { statusOf } from '../../machines/job-status.ts';
import type { Effect } from '../../machines/model/effects.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { begin, type JobState, type Step, step } from '../../machines/step.ts';
import { planned } from '../machines/builders.ts';
import type { ObservedStatus } from './observed.ts';

/** What state the pods of a role are in; all of them unless counts are given. */
export type PodsState = 'unscheduled' | 'scheduled' | 'ready' | 'succeeded' | 'failed';

/** A job that is led through states of its pods; what it wants done is done at once. */
export class Course {
  readonly #job: TrainingJob;
  #current: JobState;
  #time = 0;
  /** What the machine wanted done. */
  readonly effects: Effect[] = [];
  /** What is removed at the end; known once the job has ended. */
  scope: CleanUpScope | undefined;

  constructor(job: TrainingJob) {
    this.#job = job;
    const { plan } = job;
    this.#current = this.#settle(begin({ ...planned(plan), anchorUid: 'anchor', gang: 'none', at: 0 }));
  }

  get status(): JobStatus {
    return statusOf(this.#current);
  }

  /** Names of the deadlines that are set. */
  get deadlines(): readonly string[] {
    return Object.keys(this.#current.deadlines);
  }

  /** The watcher sees the pods of each role in a state, by name of the role. */
  sees(states: Readonly<Record<string, PodsState>>): this {
    const roles = this.#job.plan.roles.filter(({ name }) => this.#exists(name));
    return this.receives(digestOf(roles, (role) => allOf(role.replicas, states[role.name] ?? 'unscheduled')));
  }

  /** One pod of a role has failed; those of `others` are in a state. */
  seesFailure(
    { role, index, ...failure }: { role: string; index: number } & Partial<PodFailure>,
    others: Readonly<Record<string, PodsState>>,
  ): this {
    const { podName = podNameOf } = frameworkOf(this.#job);
    const pod = podName(this.#job.name, role, index);
    const digest = digestOf(this.#job.plan.roles, (planned) => {
      const counts = allOf(planned.replicas, others[planned.name] ?? 'ready');
      if (planned.name !== role) return counts;
      return { ...allOf(planned.replicas - 1, others[planned.name] ?? 'ready'), failed: 1 };
    });
    const failures = [
      { pod, uid: pod, role: role.toLowerCase(), index, exitCode: 1, reason: 'Error', ...failure },
    ];
    return this.receives({ ...digest, failures });
  }

  /** The kubelet has restarted the program of a role's first pod so often, and waits before the next time. */
  seesRestartsInPlace(role: string, restarts: number): this {
    const pod = podNameOf(this.#job.name, role, 0);
    const digest = digestOf(this.#job.plan.roles, (planned) => {
      const { replicas, name } = planned;
      if (name !== role) return allOf(replicas, 'ready');
      return { ...allOf(replicas - 1, 'ready'), scheduled: 1, restarts };
    });
    const restarted = [{ pod, uid: pod, role: role.toLowerCase(), index: 0, restarts }];
    return this.receives({ ...digest, restarts, restarted });
  }

  suspends(): this {
    return this.#live({ type: 'suspend', cause: { reason: 'Suspended', message: '' }, at: this.#tick() });
  }

  resumes(): this {
    return this.#live({ type: 'resume', cause: { message: '' }, at: this.#tick() });
  }

  /** Time goes on until the deadline, which must have been set. */
  passes(deadline: string): this {
    const due = this.#current.deadlines[deadline];
    if (due === undefined) throw new Error(`expected the job to have the deadline ${deadline}`);
    this.#time = Math.max(this.#time, due);
    return this.#live({ type: 'deadline', name: deadline, at: this.#tick() });
  }

  receives(digest: Digest): this {
    const pods = this.#tick();
    return this.#live({
      type: 'digest',
      digest: {
        ...digest,
        attempt: this.#current.snapshot.context.attempt,
        resourceVersions: { pods, groups: {} },
      },
      at: pods,
    });
  }

  /** A launcher exists only once it was launched. */
  #exists(name: string): boolean {
    const role = this.#job.plan.roles.find((one) => one.name === name);
    return !role?.after?.length || this.#current.snapshot.context.launched === true;
  }

  #live(event: JobEvent): this {
    this.#current = this.#settle(step(this.#current, event));
    return this;
  }

  /** All effects but the last clean-up are done as soon as they are wanted. */
  #settle({ job, effects }: Step): JobState {
    return effects.reduce((current, effect) => this.#do(current, effect), job);
  }

  #do(job: JobState, effect: Effect): JobState {
    this.effects.push(effect);
    if (effect.type === 'cleanUp') {
      this.scope = effect.scope;
      return job;
    }
    const at = this.#tick();
    return this.#settle(step(job, { type: 'effectDone', effect: effect.type, resourceVersion: at, at }));
  }

  #tick(): number {
    this.#time += 1000;
    return this.#time;
  }
}

/** From its start to its success, with the roles running that the original operator saw running. */
export function courseOf(job: TrainingJob, running: ObservedStatus) {
  const active = ({ name }: PlannedRole) => (running.replicaStatuses?.[name]?.active ?? 0) > 0;
  const { roles, successRoles } = job.plan;
  const states = Object.fromEntries(
    roles.map((role) => [role.name, active(role) ? 'ready' : 'unscheduled'] as const),
  );
  const course = new Course(job).sees(states);
  // Once more, as a launcher that was held has been created meanwhile.
  const whenRunning = course.sees(states).status;
  const ended = successRoles.map((name) => [name, 'succeeded'] as const);
  const whenSucceeded = course.sees({ ...states, ...Object.fromEntries(ended) }).status;
  return { whenRunning, whenSucceeded, scope: course.scope };
}

function digestOf(roles: readonly PlannedRole[], counts: (role: PlannedRole) => RoleDigest): Digest {
  return {
    anchor: 'anchor',
    anchorDeleted: false,
    attempt: 1,
    resourceVersions: { pods: 0, groups: {} },
    roles: Object.fromEntries(roles.map((role) => [role.name.toLowerCase(), counts(role)])),
    earlier: 0,
    restarts: 0,
    failures: [],
  };
}

const NONE = { unscheduled: 0, scheduled: 0, ready: 0, succeeded: 0, failed: 0, terminating: 0 } as const;

const allOf = (replicas: number, state: PodsState): RoleDigest => ({
  ...NONE,
  [state]: replicas,
  succeededIndices:
    state === 'succeeded' ? formatRanges(Array.from({ length: replicas }, (_, index) => index)) : '',
});
