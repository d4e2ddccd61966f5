import type {
  Crash,
  Digest,
  Endangered,
  GangDigest,
  Noticed,
  PodFailure,
  ProgramCrash,
  Restarted,
  RoleDigest,
  Shortage,
  SpareDigest,
  Waiting,
} from '../../contracts/digest.ts';
import type { PlannedRevision } from '../../contracts/job-revision.ts';
import type {
  CleanPodPolicy,
  ConditionMessages,
  GangFence,
  HostListRule,
  JobRestartPolicy,
  Plan,
  PlannedRole,
  RunPolicy,
  SuccessRule,
} from '../../contracts/training-job.ts';
import type { EvidenceSummary, Policy } from '../../contracts/types.ts';
import { formatRanges } from '../../language/index-ranges.ts';
import { withAssessment } from '../../machines/assess/assess.ts';
import { initialContext, type JobContext } from '../../machines/model/job-context.ts';
import { aPolicy, type PolicyParts } from './policies.ts';

export const ANCHOR = 'anchor-1';

/** A revision of a job with this plan. */
export const planned = (plan: Plan, number = 1): PlannedRevision => ({
  plan,
  revision: { number, sha256: `hash-${number}`, warnings: [] },
});

class PlanBuilder {
  private roles: PlannedRole[] = [];
  private runPolicy: RunPolicy = { cleanPodPolicy: 'None' };
  private rules: Pick<Plan, 'hostList' | 'successOf' | 'success' | 'minMember' | 'policy' | 'fence'> = {};
  private failed: ConditionMessages['failed'];
  private restarts: ConditionMessages['restarting'];

  master(restartPolicy: JobRestartPolicy = 'OnFailure') {
    return this.role({ name: 'Master', replicas: 1, restartPolicy });
  }

  workers(replicas: number, restartPolicy: JobRestartPolicy = 'OnFailure') {
    return this.role({ name: 'Worker', replicas, restartPolicy });
  }

  /** Created when the workers are ready; it alone decides. */
  launcher(fields: Partial<PlannedRole> = {}) {
    const role = { name: 'Launcher', replicas: 1, restartPolicy: 'Never' as const, after: ['Worker'] };
    return this.role({ ...role, ...fields });
  }

  /** What the kind says of failed workers. */
  workersWith(replicas: number, fields: Partial<PlannedRole>) {
    return this.role({ name: 'Worker', replicas, restartPolicy: 'Never', ...fields });
  }

  listing(hostList: HostListRule) {
    this.rules = { ...this.rules, hostList };
    return this;
  }

  /** A gang of so many, which a scheduler counts. */
  gangOf(minMember: number) {
    this.rules = { ...this.rules, minMember };
    return this;
  }

  /** What keeps pods that are left behind from its later attempts. */
  fenced(fence: GangFence = 'port') {
    this.rules = { ...this.rules, fence };
    return this;
  }

  /** Only the first of the roles that decide has to succeed. */
  decidedByFirst() {
    this.rules = { ...this.rules, successOf: 'first' };
    return this;
  }

  failing(failed: ConditionMessages['failed']) {
    this.failed = failed;
    return this;
  }

  restarting(restarts: ConditionMessages['restarting']) {
    this.restarts = restarts;
    return this;
  }

  /** All roles decide together. */
  decidedBy(success: SuccessRule) {
    this.rules = { ...this.rules, success };
    return this;
  }

  /** The annotation `signalbox.dev/policy`: what is left out is as by default. */
  policy(parts: PolicyParts<Policy>) {
    this.rules = { ...this.rules, policy: aPolicy(parts, this.rules.policy) };
    return this;
  }

  suspended() {
    return this.runs({ suspend: true });
  }

  backoffLimit(backoffLimit: number) {
    return this.runs({ backoffLimit });
  }

  deadline(activeDeadlineSeconds: number) {
    return this.runs({ activeDeadlineSeconds });
  }

  cleanPodPolicy(cleanPodPolicy: CleanPodPolicy) {
    return this.runs({ cleanPodPolicy });
  }

  build(): Plan {
    const names = this.roles.map(({ name }) => name);
    return {
      ...this.rules,
      kind: 'PyTorchJob',
      name: 'resnet',
      namespace: 'ml',
      roles: this.roles,
      replicaSpecs: 'pytorchReplicaSpecs',
      runPolicy: this.runPolicy,
      successRoles: [names.find((name) => name === 'Master' || name === 'Launcher') ?? 'Worker'],
      messages: {
        running: 'PyTorchJob resnet is running.',
        succeeded: 'PyTorchJob resnet is successfully completed.',
        failed: this.failed,
        restarting: this.restarts,
      },
      roleSelector: 'training.kubeflow.org/replica-type=%s',
    };
  }

  /** What decisions are made from, before anything was heard. */
  context(digest?: DigestBuilder): JobContext {
    const context = initialContext({ ...planned(this.build()), anchorUid: ANCHOR, gang: 'none', at: 0 });
    return withAssessment(digest ? { ...context, digest: digest.build() } : context);
  }

  role(role: PlannedRole) {
    this.roles = [...this.roles, role];
    return this;
  }

  private runs(fields: Partial<RunPolicy>) {
    this.runPolicy = { ...this.runPolicy, ...fields };
    return this;
  }
}

const NOTHING: RoleDigest = {
  unscheduled: 0,
  scheduled: 0,
  ready: 0,
  succeeded: 0,
  failed: 0,
  terminating: 0,
  succeededIndices: '',
};

type Counts = Partial<Omit<RoleDigest, 'succeededIndices'>>;

class DigestBuilder {
  private digest: Digest;

  constructor(resourceVersion: number) {
    this.digest = {
      anchor: ANCHOR,
      anchorDeleted: false,
      attempt: 1,
      resourceVersions: { pods: resourceVersion, groups: {} },
      roles: {},
      earlier: 0,
      restarts: 0,
      failures: [],
    };
  }

  /** Pods of a role by state; those that succeeded are its first indices unless `succeededIndices` says which. */
  role(name: string, counts: Counts, succeededIndices = firstIndices(counts.succeeded ?? 0)) {
    return this.with({
      roles: { ...this.digest.roles, [name]: { ...NOTHING, ...counts, succeededIndices } },
    });
  }

  master = (counts: Counts) => this.role('master', counts);
  launcher = (counts: Counts) => this.role('launcher', counts);
  workers = (counts: Counts, done?: string) => this.role('worker', counts, done);

  failure(failure: Partial<PodFailure> = {}) {
    return this.with({ failures: [...this.digest.failures, aFailure(failure)] });
  }

  /** Failed workers that are not described, like one that is. */
  moreFailures(indices: string, like: Partial<PodFailure> = {}) {
    const { role, exitCode, reason } = aFailure(like);
    const more = { role, exitCode, reason, indices };
    return this.with({ moreFailures: [...(this.digest.moreFailures ?? []), more] });
  }

  /** A pod that is gone. */
  vanished(failure: Partial<PodFailure> = {}) {
    return this.with({ vanished: [...(this.digest.vanished ?? []), aFailure(failure)] });
  }

  /** A pod on a node in trouble; it counts in its role as whatever it is. */
  endangered(fields: Partial<Endangered> = {}) {
    const { pod, uid, role, index } = aFailure(fields);
    const node = { node: 'node-1', trouble: 'NotReady' as const, since: 0 };
    const one = { pod, uid, role, index, ...node, ...fields };
    return this.with({ endangered: [...(this.digest.endangered ?? []), one] });
  }

  /** A source of health says something of the node of worker 0. */
  noticed(fields: Partial<Noticed> = {}) {
    const { pod, uid, role, index } = aFailure();
    const said = { verdict: 'Sick', source: 'NVSentinel', key: 'GpuMemWatch', since: 0 } as const;
    const one = { node: 'gpu-7', ...said, pods: [{ pod, uid, role, index }], ...fields };
    return this.with({ noticed: [...(this.digest.noticed ?? []), one] });
  }

  /** A pod that is not ready, whose containers were restarted in place. */
  restarted(fields: Partial<Restarted> = {}) {
    const { pod, uid, role, index } = aFailure(fields);
    const one = { pod, uid, role, index, restarts: 1, ...fields };
    return this.with({ restarted: [...(this.digest.restarted ?? []), one] });
  }

  /** How the container ended that was restarted in place most often: worker 0's, once, with exit code 1. */
  crash(fields: Partial<Crash> = {}) {
    const { pod, uid, role, index } = aFailure(fields);
    const end = { container: 'pytorch', exitCode: 1, reason: 'Error', restarts: 1, pods: 1 };
    return this.with({ crash: { pod, uid, role, index, ...end, ...fields } });
  }

  /** How a program ended last that waits for its restart in place: worker 0's, once, with exit code 1. */
  programCrash(fields: Partial<ProgramCrash> = {}) {
    const { pod, uid, role, index } = aFailure(fields);
    const { ends = 1, restarts = ends - 1 } = fields;
    const end = { container: 'pytorch', exitCode: 1, reason: 'Error', ends, restarts };
    const one = { pod, uid, role, index, ...end, ...fields };
    return this.with({ programCrashes: [...(this.digest.programCrashes ?? []), one] });
  }

  /** A pod that is being deleted, and has not ended. */
  terminating(fields: Partial<PodFailure> = {}) {
    const { pod, uid, role, index, node } = aFailure(fields);
    return this.with({ terminating: [...(this.digest.terminating ?? []), { pod, uid, role, index, node }] });
  }

  avoidsUntil = (avoidsUntil: number) => this.with({ avoidsUntil });
  /** Spare 0 on spare-node-0 and so on, in these states. */
  spares(...states: readonly SpareDigest['state'][]) {
    const spares = states.map((state, index) => {
      const pod = `resnet-spare-${index}`;
      return { pod, uid: `uid-${pod}`, node: `spare-node-${index}`, state };
    });
    return this.with({ spares });
  }

  strangers = (pods: number, pod: string) => this.with({ strangers: { pods, pod } });
  progress = (value: string, count: number) => this.with({ progress: { value, count } });
  /** Of a digest with progress: how many seconds before it the program reported that. */
  reportedBefore(seconds: number) {
    const { progress } = this.digest;
    return this.with({ progress: progress && { ...progress, ageMs: seconds * 1000 } });
  }

  evicted = (eviction: Partial<NonNullable<Digest['eviction']>> = {}) =>
    this.with({
      eviction: { attempt: this.digest.attempt, reason: 'Preempted', message: 'for job/ml/big', ...eviction },
    });
  lane = (lane: Partial<NonNullable<Digest['lane']>> = {}) =>
    this.with({
      lane: { attempt: 1, at: 0, reason: 'WaitingForRoom', message: '3 pods are ahead', ...lane },
    });
  acknowledged = () => this.with({ acknowledged: true });
  nodes = (nodes: number) => this.with({ resourceVersions: { ...this.digest.resourceVersions, nodes } });
  lastReportAt = (lastReportAt: number) => this.with({ lastReportAt });
  noSteps = (noSteps: string) => this.with({ noSteps });
  restarts = (restarts: number) => this.with({ restarts });
  attempt = (attempt: number) => this.with({ attempt });
  goneOf = (goneOf: number) => this.with({ goneOf });
  of = (anchor: string) => this.with({ anchor });
  withoutAnchor = () => this.with({ anchorDeleted: true });
  waiting = (...waits: Omit<Waiting, 'hasNode'>[]) =>
    this.with({ waiting: waits.map((wait) => ({ ...wait, hasNode: wait.reason !== 'Unschedulable' })) });
  shortages = (...shortages: Shortage[]) => this.with({ shortages });
  /** Groups were read up to there: without `provider` those of `aLife` and `aQueuedLife`. */
  groups = (resourceVersion: number, provider?: 'kube-batch') => {
    const groups = provider
      ? { [provider]: resourceVersion }
      : { native: resourceVersion, volcano: resourceVersion };
    return this.with({
      resourceVersions: {
        ...this.digest.resourceVersions,
        groups: { ...this.digest.resourceVersions.groups, ...groups },
      },
    });
  };
  hostList = (pods: number, hash: string) => this.with({ hostList: { pods, hash } });
  missingServices = (at: number, ...names: string[]) => this.with({ missingServices: { at, names } });
  gang = (gang: GangDigest) => this.with({ gang });
  answers = (fields: Pick<Digest, 'silentMs' | 'silentPod' | 'linesRead' | 'progressFault'>, question = 1) =>
    this.with({ answers: question, ...fields });

  /** The anchor does not say that the job runs. */
  unrecorded = () => this.with({ isUnrecorded: true });
  heldGang = (message: string) => this.with({ gang: { scheduled: 'False', message } });

  /** A scheduler that does not say whether the gang is placed. */
  untoldGang = (message: string) => this.with({ gang: { scheduled: 'Unknown', message } });

  build = (): Digest => this.digest;

  private with(fields: Partial<Digest>): this {
    this.digest = { ...this.digest, ...fields };
    return this;
  }
}

/** A plan without roles; add some. */
export const aPlan = () => new PlanBuilder();

/** A digest that has read the pods up to a resource version. */
export const aDigest = (resourceVersion = 1) => new DigestBuilder(resourceVersion);

export const aFailure = (fields: Partial<PodFailure> = {}): PodFailure => {
  const { role = 'worker', index = 0 } = fields;
  const pod = `resnet-${role}-${index}`;
  return { pod, uid: `${pod}-1`, role, index, reason: 'Error', ...fields };
};

/** What is told of a pod's evidence when it was taken; of the same pod as `aFailure` with the same fields. */
export const someEvidence = (fields: Partial<EvidenceSummary> = {}): EvidenceSummary => {
  const { pod, uid, role, index } = aFailure(fields);
  return { pod, uid, role, index, attempt: 1, takenAt: '2026-01-01T00:00:00Z', ...fields };
};

export type { DigestBuilder, PlanBuilder };

const firstIndices = (count: number) => formatRanges(Array.from({ length: count }, (_, index) => index));
