import type { Compatibility } from './difference.ts';
import { TRAINING_OPERATOR } from './training-operator.ts';

export const TENSORFLOW_COMPATIBILITY: Compatibility = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'TFJob',
  original: 'training-operator v1.9',
  same: 'Pods, Services, names, labels, ports, TF_CONFIG in both of its forms, successPolicy, enableDynamicWorker, conditions and messages.',
  family: TRAINING_OPERATOR,
  differences: [
    {
      id: 'unknown-roles',
      area: 'manifest',
      original: 'Makes pods for roles of any name; whatever becomes of them, the job does not heed it.',
      signalbox: 'Takes Chief, Master, Worker, PS and Evaluator, in any case.',
      why: 'Another name is a slip of the pen.',
    },
    {
      id: 'one-chief',
      area: 'manifest',
      original: 'Takes any number of replicas of Chief or Master, and any `successPolicy`.',
      signalbox: 'Chief or Master has at most one; `successPolicy` is empty or `AllWorkers`.',
      why: 'TensorFlow knows one chief.',
    },
    {
      id: 'evaluator-is-not-of-the-cluster',
      area: 'objects',
      original: 'Lists evaluators in the TF_CONFIG of every task.',
      signalbox: 'Only in that of evaluators themselves.',
      why: 'To TensorFlow they are not of the training cluster: its servers would wait for them. Strategies want the own type of a task in its cluster.',
      leavesOut: [{ kind: 'Pod', path: ['spec', 'containers', 'env'], name: 'TF_CONFIG' }],
      when: ({ roles }) => roles.some(({ name }) => name === 'Evaluator'),
    },
    {
      id: 'sparse-cluster',
      area: 'objects',
      original:
        'With `enableDynamicWorker` a parameter server knows itself alone, always at index 0; a chief or an evaluator knows nobody; without parameter servers their list is null.',
      signalbox:
        'Every task knows all parameter servers and the chief; a chief knows the workers as well. Workers still know themselves alone.',
      why: 'A task must find itself at its own index, and a chief whom to give work.',
      leavesOut: [{ kind: 'Pod', path: ['spec', 'containers', 'env'], name: 'TF_CONFIG' }],
      when: ({ options }) => options.enableDynamicWorker === true,
    },
    {
      id: 'last-dynamic-worker',
      area: 'running',
      original: 'With `enableDynamicWorker` the failure of workers is ignored, also that of the last one.',
      signalbox: 'It is ignored while another worker is left; the job fails with the last one.',
      why: 'Nobody would be left to train.',
    },
    {
      id: 'without-chief-and-workers',
      area: 'ending',
      original: 'A job of parameter servers or evaluators only is never Running, and never ends well.',
      signalbox:
        'It runs when all of them do, and has succeeded when all its evaluators have; without any, when all its parameter servers have. The first of those is the master.',
      why: 'Nothing else can tell that the work is done.',
    },
  ],
};
