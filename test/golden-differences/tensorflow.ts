import type { Compatibility } from './difference.ts';
import { TRAINING_OPERATOR } from './training-operator.ts';

export const TENSORFLOW_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'TFJob',
  original: 'training-operator v1.9',
  family: TRAINING_OPERATOR,
  differences: [
    {
      id: 'unknown-roles',
      area: 'manifest',
      original: 'Creates pods for roles of any name, but ignores their outcome.',
      signalbox: 'Accepts Chief, Master, Worker, PS and Evaluator, in any case.',
      why: 'Another name is a typo.',
    },
    {
      id: 'one-chief',
      area: 'manifest',
      original: 'Accepts any number of replicas of Chief or Master, and any `successPolicy`.',
      signalbox: 'Chief or Master has at most one; `successPolicy` is empty or `AllWorkers`.',
      why: 'TensorFlow knows one chief.',
    },
    {
      id: 'evaluator-is-not-of-the-cluster',
      area: 'objects',
      original: 'Lists evaluators in the TF_CONFIG of every task.',
      signalbox: 'Lists them only in the TF_CONFIG of evaluators.',
      why: 'For TensorFlow they are not part of the training cluster, whose servers would wait for them. Strategies need a task’s own type in its cluster.',
      leavesOut: [{ kind: 'Pod', path: ['spec', 'containers', 'env'], name: 'TF_CONFIG' }],
      when: ({ roles }) => roles.some(({ name }) => name === 'Evaluator'),
    },
    {
      id: 'sparse-cluster',
      area: 'objects',
      original:
        'With `enableDynamicWorker`, a parameter server knows only itself, at index 0; a chief or evaluator knows no other task.',
      signalbox:
        'Every task knows all parameter servers and the chief; a chief also knows the workers. Workers still know only themselves.',
      why: 'A task must find itself at its own index, and a chief must find its workers.',
      leavesOut: [{ kind: 'Pod', path: ['spec', 'containers', 'env'], name: 'TF_CONFIG' }],
      when: ({ options }) => options.enableDynamicWorker === true,
    },
    {
      id: 'last-dynamic-worker',
      area: 'running',
      original: 'With `enableDynamicWorker`, ignores failed workers, even the last one.',
      signalbox: 'Ignores them while another worker remains; the job fails with the last one.',
      why: 'No worker would remain to train.',
    },
    {
      id: 'without-chief-and-workers',
      area: 'ending',
      original: 'A job with only parameter servers or evaluators is never Running and never succeeds.',
      signalbox:
        'It is Running when all of them run, and succeeds when all its evaluators have; without evaluators, when all its parameter servers have. The first of those is the master.',
      why: 'Nothing else shows that the work is done.',
    },
  ],
};
