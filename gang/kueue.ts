import type { GangDigest } from '../contracts/digest.ts';
import { KUEUE_WORKLOADS, type KubeObject } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, KUBEFLOW_LABELS, withoutOwnKeys } from '../contracts/labels.ts';
import { roleKey } from '../contracts/roles.ts';
import type { Role, TrainingJob } from '../contracts/training-job.ts';
import type { Fault } from '../contracts/types.ts';
import { KUEUE_QUEUE, sparesUnderQuota } from '../frameworks/manifest/gang-request.ts';
import { unlessEmpty, withoutUndefined } from '../language/fields.ts';
import { conditionMessage } from './conditions.ts';
import { type Eviction, type GangAdapter, NO_TIERS } from './gang.ts';
import { kueueCodeOf } from './kueue-words.ts';
import {
  evictionOfWorkload,
  finishOf,
  isWorkloadAdmitted,
  preemptionOf,
  waitOfWorkload,
} from './kueue-workload.ts';

const WORKLOADS = KUEUE_WORKLOADS[0]!;

/**
 * Kueue from 0.15: kueue.x-k8s.io/v1beta2. It hands out quota and places nothing: whatever places the pods of the cluster does so
 * once the job is admitted. A job has one Workload, which keeps its quota from attempt to attempt.
 */
export const kueue: GangAdapter = {
  provider: 'kueue',
  resource: WORKLOADS,
  holdsPods: true,
  countsFinished: true,
  ignores: {
    minResources: 'Kueue counts what the pods ask for',
    scheduleTimeoutSeconds: 'Kueue waits without a time limit',
    networkTopology: NO_TIERS,
  },
  refuses: (job) => [...faultOfResource(job), ...faultOfQueue(job), ...sparesUnderQuota('kueue', job)],
  renderGroup: (job, groupName) => ({
    apiVersion: WORKLOADS.apiVersion,
    kind: WORKLOADS.kind,
    metadata: { name: groupName },
    spec: {
      queueName: queueOf(job),
      podSets: job.roles.filter(({ replicas }) => replicas > 0).map(podSetOf),
    },
  }),
  // Kueue would take a pod that names a queue for one that has to wait there on its own.
  membership: () => ({ withoutLabels: [KUEUE_QUEUE, 'kueue.x-k8s.io/pod-group-name'] }),
  readGroup,
  readEviction,
};

/** Kueue admits a custom resource by its suspension, and has a Workload for it. */
const faultOfResource = ({ resource }: TrainingJob): Fault[] =>
  resource
    ? [
        {
          path: `metadata.annotations[${ANNOTATIONS.gang}]`,
          expected: `no kueue on a custom resource, which Kueue itself suspends and resumes (its label ${KUEUE_QUEUE} names the queue)`,
          got: 'kueue',
        },
      ]
    : [];

const faultOfQueue = (job: TrainingJob): Fault[] =>
  queueOf(job)
    ? []
    : [
        {
          path: `metadata.labels[${KUEUE_QUEUE}]`,
          expected: 'the name of a LocalQueue of the namespace, because Kueue is to admit the job',
          got: 'nothing',
        },
      ];

const queueOf = ({ gang }: TrainingJob): string | undefined => gang.kueue?.queue ?? gang.queue;

/** Its name is a label of the pods, by which Kueue finds them. */
function podSetOf({ name, replicas, template }: Role) {
  const { labels, annotations = {} } = template.metadata ?? {};
  return withoutUndefined({
    name: roleKey(name),
    count: replicas,
    template: {
      metadata: withoutUndefined({
        labels: unlessEmpty(withoutOwnKeys(labels)),
        annotations: unlessEmpty(withoutOwnKeys(annotations)),
      }),
      spec: template.spec,
    },
    topologyRequest: topologyOf(annotations),
  });
}

/** Returns where Kueue has to place the pods of a role together, as the annotations of its template say it. */
function topologyOf(annotations: Readonly<Record<string, string>>) {
  const given = (name: string) => annotations[`kueue.x-k8s.io/podset-${name}`];
  const [required, preferred] = [given('required-topology'), given('preferred-topology')];
  const slice = { topology: given('slice-required-topology'), size: Number(given('slice-size')) };
  const hasSlices = slice.topology !== undefined && Number.isInteger(slice.size);
  const isUnconstrained = given('unconstrained-topology') === 'true';
  if (!required && !preferred && !isUnconstrained && !hasSlices) return undefined;
  return withoutUndefined({
    required,
    preferred: required ? undefined : preferred,
    unconstrained: !required && !preferred && isUnconstrained ? true : undefined,
    podSetGroupName: required || preferred ? given('group-name') : undefined,
    podSetSliceRequiredTopology: hasSlices ? slice.topology : undefined,
    podSetSliceSize: hasSlices ? slice.size : undefined,
    podIndexLabel: KUBEFLOW_LABELS.replicaIndex,
  });
}

function readGroup(workload: KubeObject): GangDigest {
  if (isWorkloadAdmitted(workload))
    return { admitted: true, scheduled: 'True', message: 'Kueue has admitted the job' };
  const said = finishOf(workload) ?? waitOfWorkload(workload);
  const message = said ? conditionMessage(said) : 'it has said nothing of the job yet';
  const reason = said && kueueCodeOf(said) === 'NeverFits' ? 'NeverFits' : said?.reason;
  return { admitted: false, scheduled: 'False', reason, message: `Kueue: ${message}` };
}

function readEviction(workload: KubeObject): Eviction | undefined {
  const finished = finishOf(workload);
  if (finished)
    return {
      reason: 'Evicted',
      message: `its Workload was finished by another client: ${conditionMessage(finished)}`,
    };
  const evicted = evictionOfWorkload(workload);
  if (!evicted) return undefined;
  const rule = evicted.reason === 'Preempted' ? preemptionOf(workload)?.reason : undefined;
  const [, by] = PREEMPTOR.exec(evicted.message ?? '') ?? [];
  return {
    ...{ reason: reasonOf(evicted.reason, rule), message: `Kueue: ${conditionMessage(evicted)}` },
    ...(by ? { by } : {}),
  };
}

/** Kueue names the Workload that takes the quota only in its message. */
const PREEMPTOR = /a workload \(UID: ([0-9a-f-]{36})/;

/** Another queue of the cohort takes back what it had lent, or a job of more importance takes the quota. */
function reasonOf(reason: string | undefined, rule: string | undefined): Eviction['reason'] {
  if (reason !== 'Preempted') return 'Evicted';
  return rule?.startsWith('InCohort') ? 'Reclaimed' : 'Preempted';
}
