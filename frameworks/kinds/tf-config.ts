import { podNameOf } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Replica } from '../framework.ts';
import { rendezvousPort } from '../manifest/main-container.ts';
import { oncePerJob } from './once-per-job.ts';

/** Where a task of TensorFlow runs and listens. */
export const TENSORFLOW_CONTAINER = {
  container: 'tensorflow',
  port: { name: 'tfjob-port', number: 2222 },
} as const;

/**
 * The one type of task that is not of the training cluster: the others would wait for it. Strategies look for a task's own
 * type in its cluster, so an evaluator itself is told of the evaluators too.
 */
const EVALUATOR = 'evaluator';

/** The value of TF_CONFIG: the tasks by their addresses, and which of them this one is. */
export function tfConfig(job: TrainingJob, { role, index }: Replica): string {
  const type = role.name.toLowerCase();
  const { training, evaluation } = clustersOf(job);
  const cluster = type === EVALUATOR ? evaluation : training;
  return `{"cluster":${cluster},"task":${taskOf(type, index)},"environment":"cloud"}`;
}

/**
 * The sparse form, for workers that come and go: a task knows those that stay (parameter servers and the chief), and of
 * the workers itself alone. A chief gives the work out, so it knows all of them.
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

/** By type of task. */
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
