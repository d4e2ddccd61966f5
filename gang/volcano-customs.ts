import type { TrainingJob } from '../contracts/training-job.ts';

/** What the original operators of an API write differently for Volcano. */
export interface VolcanoCustoms {
  /** Queue of a group if the job names none; without it Volcano uses `default`. */
  readonly queue?: string;
  /** Added to pods, beside the group's name. */
  podAnnotations?(job: TrainingJob, role: string): Readonly<Record<string, string>>;
}

export const volcanoCustomsOf = ({ apiVersion }: TrainingJob): VolcanoCustoms => CUSTOMS[apiVersion] ?? {};

const taskOf = (role: string) => ({ 'volcano.sh/task-spec': role.toLowerCase() });

const CUSTOMS: Readonly<Record<string, VolcanoCustoms>> = {
  'kubeflow.org/v1': { queue: 'default', podAnnotations: (_, role) => taskOf(role) },
  'batch.paddlepaddle.org/v1': {
    podAnnotations: ({ name, gang }, role) => ({
      ...taskOf(role),
      'volcano.sh/job-name': name,
      'volcano.sh/job-version': '0',
      'volcano.sh/queue-name': gang.queue ?? '',
    }),
  },
};
