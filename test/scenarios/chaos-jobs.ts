import type { JobResource } from '../../contracts/job-resources.ts';
import type { Resource } from '../../contracts/kubernetes.ts';
import type { CleanPodPolicy } from '../../contracts/training-job.ts';
import {
  chaosManifest,
  KINDS,
  type Kind,
  leaderOf,
  type ManifestOptions,
  type Place,
} from './chaos-manifests.ts';
import { PLANNED_ENDS, type PlannedEndName } from './chaos-planned-ends.ts';
import { FREE, LASTING_POLICIES, scalable } from './chaos-policies.ts';
import type { Manifest } from './manifests.ts';

export interface ChaosJob {
  readonly name: string;
  readonly manifest: Manifest;
  /** Its kind, if it is applied as a custom resource; else it is submitted. */
  readonly resource?: Resource<JobResource>;
  readonly cleanPodPolicy: CleanPodPolicy;
  readonly plannedEnd: PlannedEndName;
  /** What people may do to it on its way. */
  readonly isSuspended: boolean;
  readonly isScaled: boolean;
  /** Its workers may end before the rest of it. */
  readonly workersMaySucceed: boolean;
  /** The pod that decides how it ends; without one all workers do. */
  readonly leader: string | undefined;
}

const CLEAN_POD_POLICIES = ['All', 'Running', 'None'] as const;

/** 18 that get through, and 14 that something is done to which they cannot. */
export function chaosJobs(place: Place): ChaosJob[] {
  const lasting = Array.from({ length: 18 }, (_, index) => lastingJob(index, place));
  const doomed = DOOMED.map((_, index) => jobWithPlannedEnd(index, place));
  return [...lasting, ...doomed];
}

/** Policies, kinds, ends and what people do are combined so that each meets each. */
export function lastingJob(index: number, place: Place, pods?: number): ChaosJob {
  const policies = Object.entries(LASTING_POLICIES);
  const [policyName, policy] = policies[index % policies.length]!;
  const turn = index % 7;
  const isScaled = turn === 2 || turn === 3;
  const kind = kindAt(index * 3 + Math.floor(index / policies.length));
  const { runPolicy, ...rest } = isScaled ? scalable(policy) : policy;
  const options: ManifestOptions = {
    ...rest,
    name: `${policyName.toLowerCase()}-${index}`,
    kind,
    cleanPodPolicy: CLEAN_POD_POLICIES[index % CLEAN_POD_POLICIES.length]!,
    pods,
    gang: turn === 3 || turn === 5 ? 'none' : 'native',
    runPolicy: turn === 4 ? { ...runPolicy, suspend: true } : runPolicy,
  };
  return {
    ...options,
    manifest: chaosManifest(options, place),
    plannedEnd: 'completes',
    isSuspended: turn < 2 || turn === 4,
    isScaled,
    workersMaySucceed: true,
    leader: leaderOf(options.name, kind),
  };
}

type JobWithPlannedEnd = Omit<ManifestOptions, 'name' | 'kind' | 'gang'> & {
  readonly plannedEnd: Exclude<PlannedEndName, 'completes'>;
  readonly kind?: Kind;
};

const SOON = { initial: '200ms', max: '2s' };
const PODS = { ladder: [{ scope: 'pod' }], backOff: SOON };
const GANG = { ladder: [{ scope: 'gang' }], backOff: SOON };
const BAD_DATA = {
  rules: [{ class: 'badData', exitCodes: [42] }],
  classes: { ...FREE, badData: { final: true } },
};
const TWO_OF_USER_CODE = { classes: { infrastructure: { free: true }, userCode: { budget: 2 } } };

const DOOMED: readonly JobWithPlannedEnd[] = [
  {
    plannedEnd: 'findsBadData',
    cleanPodPolicy: 'All',
    restartPolicy: 'OnFailure',
    policy: { restart: GANG, failures: BAD_DATA },
  },
  {
    plannedEnd: 'findsBadData',
    cleanPodPolicy: 'None',
    restartPolicy: 'OnFailure',
    policy: { restart: PODS, failures: BAD_DATA, holdOnFailure: '3s' },
  },
  {
    plannedEnd: 'passesBackoffLimit',
    cleanPodPolicy: 'Running',
    restartPolicy: 'OnFailure',
    runPolicy: { backoffLimit: 0 },
  },
  {
    plannedEnd: 'passesBackoffLimit',
    cleanPodPolicy: 'None',
    restartPolicy: 'OnFailure',
    runPolicy: { backoffLimit: 3 },
    policy: { restart: GANG },
  },
  { plannedEnd: 'mayNotFail', kind: 'JAXJob', cleanPodPolicy: 'Running', restartPolicy: 'Never' },
  {
    plannedEnd: 'spendsItsBudget',
    cleanPodPolicy: 'All',
    restartPolicy: 'ExitCode',
    policy: { restart: PODS, failures: TWO_OF_USER_CODE },
  },
  {
    plannedEnd: 'spendsItsBudget',
    cleanPodPolicy: 'Running',
    restartPolicy: 'Never',
    kind: 'PyTorchJob',
    policy: { restart: GANG, failures: TWO_OF_USER_CODE, nodes: { lostAfter: '2s', forceDeleteAfter: '1s' } },
  },
  {
    plannedEnd: 'usesUpItsLadder',
    cleanPodPolicy: 'All',
    restartPolicy: 'OnFailure',
    policy: {
      restart: {
        ladder: [
          { scope: 'pod', times: 2 },
          { scope: 'gang', times: 2 },
        ],
        backOff: SOON,
      },
      failures: { classes: FREE },
    },
  },
  {
    plannedEnd: 'isStopped',
    cleanPodPolicy: 'None',
    restartPolicy: 'OnFailure',
    policy: { restart: GANG, nodes: { lostAfter: '2s' } },
  },
  {
    plannedEnd: 'isStopped',
    cleanPodPolicy: 'Running',
    restartPolicy: 'OnFailure',
    policy: { restart: PODS },
  },
  {
    plannedEnd: 'runsOutOfTime',
    cleanPodPolicy: 'None',
    restartPolicy: 'OnFailure',
    runPolicy: { activeDeadlineSeconds: 25 },
    policy: { restart: GANG },
  },
  {
    plannedEnd: 'losesItsAnchor',
    cleanPodPolicy: 'All',
    restartPolicy: 'OnFailure',
    policy: { restart: GANG },
  },
  {
    plannedEnd: 'isCancelled',
    cleanPodPolicy: 'None',
    restartPolicy: 'OnFailure',
    policy: { restart: PODS },
  },
  {
    plannedEnd: 'isTerminated',
    cleanPodPolicy: 'Running',
    restartPolicy: 'OnFailure',
    policy: { restart: GANG },
  },
];

/** Of one of the ways in which jobs are doomed, in turn. */
export function jobWithPlannedEnd(index: number, place: Place, pods?: number): ChaosJob {
  const { plannedEnd, ...given } = DOOMED[index % DOOMED.length]!;
  const options: ManifestOptions = {
    kind: kindAt(index),
    ...given,
    pods,
    name: `${plannedEnd.toLowerCase()}-${index}`,
    gang: index % 4 === 3 ? 'none' : 'native',
  };
  const manifest = chaosManifest(options, place);
  return {
    ...options,
    manifest,
    plannedEnd,
    isSuspended: PLANNED_ENDS[plannedEnd].mayRest === true,
    isScaled: false,
    workersMaySucceed: true,
    leader: leaderOf(options.name, options.kind),
  };
}

const kindAt = (index: number): Kind => {
  const kinds = Object.keys(KINDS) as Kind[];
  return kinds[index % kinds.length]!;
};
