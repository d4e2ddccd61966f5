import { podNameOf } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Replica } from '../model/framework.ts';
import { rendezvousPort } from '../model/main-container.ts';
import { oncePerJob } from './once-per-job.ts';

/** The container and port of a TensorFlow task. */
export const TENSORFLOW_CONTAINER = {
  container: 'tensorflow',
  port: { name: 'tfjob-port', number: 2222 },
} as const;

/**
 * The only task type outside the training cluster, whose tasks would otherwise wait for it. Strategies look up a task's
 * own type in its cluster, so the evaluator's own TF_CONFIG lists evaluators too.
 */
const EVALUATOR = 'evaluator';

/** Returns the value of TF_CONFIG: the addresses of all tasks, and which task this one is. */
export function tfConfig(job: TrainingJob, { role, index }: Replica): string {
  const type = role.name.toLowerCase();
  const { training, evaluation } = clustersOf(job);
  const cluster = type === EVALUATOR ? evaluation : training;
  return `{"cluster":${cluster},"task":${taskOf(type, index)},"environment":"cloud"}`;
}

/**
 * Returns the sparse form, for workers that join and leave. A task knows the fixed tasks (parameter servers and the
 * chief) and, among the workers, only itself. A chief assigns the work, so it knows all workers.
 */
export function sparseTfConfig(job: TrainingJob, { role, index }: Replica): string {
  const type = role.name.toLowerCase();
  const { worker: workers = [], ps = [], evaluator, ...chief } = addressesOf(job);
  const worker = type in chief ? { ...workers } : type === 'worker' ? { [index]: workers[index] } : {};
  const cluster = { worker, ps, ...chief, ...(type === EVALUATOR ? { evaluator } : {}) };
  return `{"cluster":${JSON.stringify(cluster)},"task":${taskOf(type, index)}}`;
}

const taskOf = (type: string, index: number) => JSON.stringify({ type, index });

const clustersOf = oncePerJob((job) => {
  const { evaluator: _, ...training } = addressesOf(job);
  return { training: JSON.stringify(training), evaluation: JSON.stringify(addressesOf(job)) };
});

/** Addresses by task type. */
const addressesOf = oncePerJob(({ name, namespace, roles, conventions }): Record<string, string[]> => {
  const domain = ['svc', conventions.domain].filter(Boolean).join('.');
  const lists = roles
    .filter(({ replicas }) => replicas > 0)
    .map((role): [string, string[]] => {
      const port = rendezvousPort(role, TENSORFLOW_CONTAINER);
      const address = (_: unknown, index: number) =>
        `${podNameOf(name, role.name, index)}.${namespace}.${domain}:${port}`;
      return [role.name.toLowerCase(), Array.from({ length: role.replicas }, address)];
    });
  return Object.fromEntries(lists);
});
