import type { TrainingJob } from '../contracts/training-job.ts';

/** What the operators that people know from each API write differently for Volcano. */
export interface VolcanoCustoms {
  /** Of a group that none is named for; Volcano takes `default` where it says nothing. */
  readonly queue?: string;
  /** On pods, beside the group's name. */
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
