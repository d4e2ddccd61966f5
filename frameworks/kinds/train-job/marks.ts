import { createHash } from 'node:crypto';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import type { PodMetadata, Replica } from '../../model/framework.ts';
import { INDEX } from './policies/ml-policy.ts';
import type { TrainOptions } from './spec/options.ts';
import { roleOptionsOf } from './spec/role-options.ts';

const OF_JOB_SET = 'jobset.sigs.k8s.io/';

/** The label by which the pods of a job are found. */
export const JOB_SET_LABEL = `${OF_JOB_SET}jobset-name`;

/** Where a pod is: its Job among those of its replicated job, and its index in that. */
export function placeOf({ role, index }: Pick<Replica, 'role' | 'index'>) {
  const { perJob } = roleOptionsOf(role);
  return { jobIndex: Math.floor(index / perJob), podIndex: index % perJob };
}

/** Returns the labels and annotations of JobSet and of the Job controller, by which programs and the SDK find pods. */
export function marksOf(job: TrainingJob, replica: Replica): PodMetadata {
  const { podIndex } = placeOf(replica);
  const marks = { ...marksOfJobSet(job, replica), [INDEX]: `${podIndex}` };
  const jobName = jobNameOf(job, replica);
  return {
    selector: { ...marks, 'batch.kubernetes.io/job-name': jobName, 'job-name': jobName },
    annotations: marks,
  };
}

const jobNameOf = ({ name }: TrainingJob, replica: Replica) =>
  `${name}-${replica.role.name}-${placeOf(replica).jobIndex}`;

function marksOfJobSet(job: TrainingJob, replica: Replica): Readonly<Record<string, string>> {
  const { role, attempt = 1 } = replica;
  const { jobIndex } = placeOf(replica);
  const { group, groupReplicas, groupIndex, globalReplicas, globalIndex, replicas } = roleOptionsOf(role);
  const marks = {
    'jobset-name': job.name,
    'replicatedjob-name': role.name,
    'replicatedjob-replicas': replicas,
    'global-replicas': globalReplicas,
    'job-index': jobIndex,
    'job-global-index': globalIndex + jobIndex,
    'job-key': keyOf(`${job.namespace}/${jobNameOf(job, replica)}`),
    'restart-attempt': attempt - 1,
    'group-name': group,
    'group-replicas': groupReplicas,
    'job-group-index': groupIndex + jobIndex,
    ...coordinatorOf(job),
  };
  return Object.fromEntries(Object.entries(marks).map(([name, value]) => [OF_JOB_SET + name, `${value}`]));
}

const keyOf = (text: string): string => createHash('sha1').update(text).digest('hex');

function coordinatorOf(job: TrainingJob) {
  const { coordinator, network } = (job.options as unknown as TrainOptions).runtime.template.spec;
  if (!coordinator) return {};
  const { replicatedJob, jobIndex = 0, podIndex = 0 } = coordinator;
  return {
    coordinator: `${job.name}-${replicatedJob}-${jobIndex}-${podIndex}.${network?.subdomain ?? job.name}`,
  };
}
