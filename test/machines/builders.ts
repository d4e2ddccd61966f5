import type { Digest, PodFailure, RoleDigest, Waiting } from '../../contracts/digest.ts';
import { formatRanges } from '../../contracts/index-ranges.ts';
import type {
  CleanPodPolicy,
  JobRestartPolicy,
  Plan,
  PlannedRole,
  RunPolicy,
} from '../../contracts/training-job.ts';
import { initialContext, type JobContext } from '../../machines/job-context.ts';

export const ANCHOR = 'anchor-1';

class PlanBuilder {
  private roles: PlannedRole[] = [];
  private runPolicy: RunPolicy = { cleanPodPolicy: 'None' };

  master(restartPolicy: JobRestartPolicy = 'OnFailure') {
    return this.role({ name: 'Master', replicas: 1, restartPolicy });
  }

  workers(replicas: number, restartPolicy: JobRestartPolicy = 'OnFailure') {
    return this.role({ name: 'Worker', replicas, restartPolicy });
  }

  backoffLimit(backoffLimit: number) {
    return this.policy({ backoffLimit });
  }

  deadline(activeDeadlineSeconds: number) {
    return this.policy({ activeDeadlineSeconds });
  }

  cleanPodPolicy(cleanPodPolicy: CleanPodPolicy) {
    return this.policy({ cleanPodPolicy });
  }

  build(): Plan {
    const hasMaster = this.roles.some(({ name }) => name === 'Master');
    return {
      kind: 'PyTorchJob',
      name: 'resnet',
      namespace: 'ml',
      roles: this.roles,
      replicaSpecs: 'pytorchReplicaSpecs',
      runPolicy: this.runPolicy,
      successRoles: [hasMaster ? 'Master' : 'Worker'],
      messages: {
        running: 'PyTorchJob resnet is running.',
        succeeded: 'PyTorchJob resnet is successfully completed.',
      },
      roleSelector: 'training.kubeflow.org/replica-type=%s',
    };
  }

  /** What decisions are made from, before anything was heard. */
  context(digest?: DigestBuilder): JobContext {
    const context = initialContext({ plan: this.build(), anchorUid: ANCHOR, gang: 'none' });
    return digest ? { ...context, digest: digest.build() } : context;
  }

  private role(role: PlannedRole) {
    this.roles = [...this.roles, role];
    return this;
  }

  private policy(fields: Partial<RunPolicy>) {
    this.runPolicy = { ...this.runPolicy, ...fields };
    return this;
  }
}

const NOTHING: RoleDigest = {
  unplaced: 0,
  placed: 0,
  ready: 0,
  succeeded: 0,
  failed: 0,
  leaving: 0,
  done: '',
};

type Counts = Partial<Omit<RoleDigest, 'done'>>;

class DigestBuilder {
  private digest: Digest;

  constructor(revision: number) {
    this.digest = {
      anchor: ANCHOR,
      anchorDeleted: false,
      attempt: 1,
      revision: { pods: revision, groups: 0 },
      roles: {},
      earlier: 0,
      restarts: 0,
      failures: [],
    };
  }

  /** Pods of a role by state; those that succeeded are its first indices unless `done` says which. */
  role(name: string, counts: Counts, done = firstIndices(counts.succeeded ?? 0)) {
    return this.with({ roles: { ...this.digest.roles, [name]: { ...NOTHING, ...counts, done } } });
  }

  master = (counts: Counts) => this.role('master', counts);
  workers = (counts: Counts, done?: string) => this.role('worker', counts, done);

  failure(failure: Partial<PodFailure> = {}) {
    return this.with({ failures: [...this.digest.failures, aFailure(failure)] });
  }

  restarts = (restarts: number) => this.with({ restarts });
  attempt = (attempt: number) => this.with({ attempt });
  of = (anchor: string) => this.with({ anchor });
  withoutAnchor = () => this.with({ anchorDeleted: true });
  waiting = (waiting: Waiting) => this.with({ waiting });
  groups = (groups: number) => this.with({ revision: { ...this.digest.revision, groups } });
  heldGang = (message: string) => this.with({ gang: { scheduled: 'False', message } });

  build = (): Digest => this.digest;

  private with(fields: Partial<Digest>): this {
    this.digest = { ...this.digest, ...fields };
    return this;
  }
}

/** A plan without roles; add some. */
export const aPlan = () => new PlanBuilder();

/** A digest that has read the pods up to a resource version. */
export const aDigest = (revision = 1) => new DigestBuilder(revision);

export const aFailure = (fields: Partial<PodFailure> = {}): PodFailure => {
  const { role = 'worker', index = 0 } = fields;
  const pod = `resnet-${role}-${index}`;
  return { pod, uid: `${pod}-1`, role, index, reason: 'Error', ...fields };
};

export type { DigestBuilder, PlanBuilder };

const firstIndices = (count: number) => formatRanges(Array.from({ length: count }, (_, index) => index));
