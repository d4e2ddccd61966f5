import { ATTEMPTS } from './attempts.ts';
import type { Compatibility } from './difference.ts';
import { SIDECARS } from './sidecars.ts';

const OF_TRAINER = 'trainer.kubeflow.org';

/** Marks of pods that say what the controllers in between are. */
const marks = (names: readonly string[]) =>
  (['labels', 'annotations'] as const).flatMap((field) =>
    names.map((name) => ({ kind: 'Pod', path: ['metadata', field, name] })),
  );

export const TRAIN_JOB_COMPATIBILITY: Compatibility = {
  apiVersion: `${OF_TRAINER}/v1alpha1`,
  kind: 'TrainJob',
  original: 'Kubeflow Trainer v2.3 with JobSet v0.12',
  family: [],
  differences: [
    {
      id: 'unknown-names-in-patches',
      area: 'manifest',
      original:
        'Accepts a patch of a replicated job or container that the runtime does not have; the job then hangs.',
      signalbox: 'Rejects it, and says which names there are.',
      why: 'The API server refuses a container without an image.',
    },
    {
      id: 'numbers-and-names',
      area: 'manifest',
      original:
        'Accepts `numNodes` and `numProcPerNode` below 1, and names that become too long with their endings; such jobs hang.',
      signalbox: 'Rejects them.',
      why: 'A job that never has a pod should not be accepted.',
    },
    {
      id: 'checks-of-runtimes',
      area: 'manifest',
      original:
        'Accepts runtimes with both gang schedulers, an unknown step, rules for jobs that are not there, or circles in `dependsOn`; checks none that is labelled so.',
      signalbox: 'Checks the runtime with each job, and says what is wrong by its path in `spec.runtime`.',
      why: 'A job of such a runtime hangs.',
    },
    {
      id: 'order-of-jobs',
      area: 'manifest',
      original: '`dependsOn` names at most five jobs that stand earlier in the list.',
      signalbox: 'It names any jobs, without a circle.',
      why: 'The order follows from what waits for what.',
    },
    {
      id: 'reserved-variables',
      area: 'manifest',
      original: 'Replaces variables of JAX that the job sets itself.',
      signalbox: 'Rejects them, like those of torch, MPI and XGBoost.',
      why: 'What is replaced in silence misleads.',
    },
    {
      id: 'older-forms',
      area: 'manifest',
      original:
        'Drops or refuses what Trainer 2.0 and 2.1 had: `podSpecOverrides`, `podTemplateOverrides`, words for `numProcPerNode`, `torch.numProcPerNode`.',
      signalbox:
        'Takes them, with a warning that names the new form. `labels` and `annotations` of spec warn that no pod has them.',
      why: 'Their apiVersion is the same.',
    },
    {
      id: 'what-is-not-supported',
      area: 'manifest',
      original:
        'Has Flux, `successPolicy: Any` of several jobs, claims that stay, `activeDeadlineSeconds`, `backoffLimitPerIndex`, `completionMode: NonIndexed` and `managedBy` of Jobs, rules for messages of failed Jobs, `podFailurePolicy` for conditions other than DisruptionTarget, and MultiKueue.',
      signalbox: 'Rejects them, and says what to use instead.',
      why: 'A field that does nothing should not be accepted.',
    },
    {
      id: 'jobs-and-job-sets',
      area: 'objects',
      original: 'Makes a JobSet, and a batch Job for each replicated job.',
      signalbox: 'Makes the pods itself; they have the labels by which programs and the SDK find them.',
      why: 'One engine decides what restarts; decision 124.',
      leavesOut: marks([
        'controller-uid',
        'batch.kubernetes.io/controller-uid',
        'jobset.sigs.k8s.io/jobset-uid',
      ]),
    },
    {
      id: 'pod-names',
      area: 'objects',
      original: 'A pod is `<job>-<replicated job>-0-<index>-<random>`.',
      signalbox: 'It is `<job>-<replicated job>-<index>`; host name and domain name are those of Trainer.',
      why: 'A pod that is made again has its name again.',
    },
    {
      id: 'snapshot',
      area: 'objects',
      original: 'Keeps the runtime in the ConfigMap `<job>-runtime-snapshot`.',
      signalbox:
        'Keeps it in the job: its history and its archive have it, and `history` names it with its generation.',
      why: 'The record outlives the cluster.',
    },
    {
      id: 'owner',
      area: 'objects',
      original: 'TrainJob, JobSet and Jobs own the objects.',
      signalbox: 'The anchor of the job owns them.',
      why: 'A submitted job has no resource.',
      leavesOut: [{ kind: '*', path: ['metadata', 'ownerReferences'] }],
    },
    {
      id: 'group',
      area: 'objects',
      original:
        'The PodGroup is named after the job; `minResources` has only what is requested, not GPUs that are only limits.',
      signalbox:
        'It is named after the job and its attempt; `minResources` is what Kubernetes itself computes.',
      why: 'An admitted gang must also fit.',
      leavesOut: [{ kind: 'PodGroup', path: ['spec', 'minResources'] }],
    },
    {
      id: 'jobs-that-wait',
      area: 'objects',
      original: 'The group counts pods that `dependsOn` holds back, and waits for them for ever.',
      signalbox: 'It has the pods that are created at first.',
      why: 'Pods and group would wait for each other.',
      when: ({ options }) => JSON.stringify(options).includes('"dependsOn"'),
      leavesOut: [{ kind: 'PodGroup', path: ['spec', 'minMember'] }],
    },
    {
      id: 'any-gang-scheduler',
      area: 'objects',
      original: 'A gang needs Coscheduling or Volcano, and a runtime that says so and sets `schedulerName`.',
      signalbox:
        'Uses what the runtime says where the cluster has it, with its `schedulerName`, and else what other kinds use; an annotation chooses.',
      why: 'A manifest should run on every cluster.',
      when: ({ options }) => JSON.stringify(options).includes('"coscheduling"'),
      leavesOut: [{ kind: 'Pod', path: ['spec', 'schedulerName'] }],
    },
    {
      id: 'unnamed-ports',
      area: 'objects',
      original: 'The port of the rendezvous replaces a port of the runtime that has no name.',
      signalbox: 'Both are there.',
      why: 'The port of a metrics endpoint should not be lost.',
      leavesOut: [{ kind: 'Pod', path: ['spec', 'containers', 'ports'] }],
      when: ({ roles }) => JSON.stringify(roles).includes('{"containerPort":8080},{"containerPort":29500}'),
    },
    {
      id: 'variables-without-a-trainer',
      area: 'objects',
      original: 'A job without `spec.trainer` gets no variables of torch, JAX and XGBoost, and no port.',
      signalbox: 'It gets them.',
      why: 'Its nodes meet like any others.',
    },
    {
      id: 'resources-without-a-policy',
      area: 'objects',
      original:
        'Ignores `resourcesPerNode` if the runtime has no `mlPolicy`, and claims for devices in it always.',
      signalbox: 'Applies them.',
      why: 'A request that is ignored in silence runs out of memory.',
      when: ({ options }) => !('mlPolicy' in (options.runtime as object)),
      leavesOut: [{ kind: 'Pod', path: ['spec', 'containers', 'resources'] }],
    },
    {
      id: 'launchers',
      area: 'objects',
      original: 'A launcher has as many pods as `mlPolicy.numNodes` says, and each runs mpirun.',
      signalbox: 'There is one launcher.',
      why: 'The program would run twice.',
    },
    {
      id: 'pods-that-a-node-ends',
      area: 'running',
      original: 'A pod that is deleted or evicted counts against backoffLimit.',
      signalbox: 'It is made again at no cost.',
      why: 'Its program did not fail.',
    },
    {
      id: 'limit-of-several-jobs',
      area: 'running',
      original:
        '`backoffLimit` counts in each batch Job, also where a replicated job has several `replicas`.',
      signalbox: 'It counts in each replicated job, over all of its `replicas`.',
      why: 'A role has one count of restarts.',
    },
    {
      id: 'restarts',
      area: 'running',
      original:
        'restartPolicy, backoffLimit, podFailurePolicy and failurePolicy of the runtime say what restarts.',
      signalbox:
        'They mean the same; the annotation of the policy adds classes, ladder, checkpoints and refunds. A restart begins when all pods of the last attempt are gone, also with `Recreate`.',
      why: 'Two attempts never meet.',
    },
    {
      id: 'ended-jobs',
      area: 'ending',
      original: 'When the JobSet of a failed TrainJob expires, the job starts again, for ever.',
      signalbox: 'A job that has failed stays so; `ttlSecondsAfterFinished` deletes what is left of it.',
      why: 'An end is an end.',
    },
    {
      id: 'missing-runtimes',
      area: 'manifest',
      original: 'Refuses a job whose runtime is not there yet.',
      signalbox: 'A job that is applied waits for it; one that is submitted is rejected.',
      why: 'Files of a folder are applied in any order, and definitions cannot look for other objects.',
    },
    {
      id: 'edits-of-jobs',
      area: 'running',
      original:
        'Refuses edits of `trainer`, `initializer`, `runtimeRef` and a deadline, also of suspended jobs; takes patches of these.',
      signalbox:
        'Follows edits of a suspended job, and of a deadline at any time; what pods are made from stays while there are any. The runtime of a job never changes.',
      why: 'A suspended job has no pods that could differ.',
    },
    {
      id: 'counted-jobs',
      area: 'status',
      original: '`jobsStatus` counts the batch Jobs of each replicated job.',
      signalbox: 'It counts each replicated job as one, also one with several replicas.',
      why: 'There are no batch Jobs. All that Trainer comes with have one replica.',
    },
    {
      id: 'words-of-conditions',
      area: 'status',
      original: 'Conditions have messages of JobSet.',
      signalbox:
        'Types are the same, and so are reasons where the runtime has decided; messages, and other reasons, are signalbox’s. A stopped job has Failed=True with reason TrainJobStopped.',
      why: 'There is no JobSet, and a message should say why.',
    },
    {
      id: 'progress-of-trainers',
      area: 'status',
      original: 'Programs report `trainerStatus` to a server of Trainer, with a feature that is off.',
      signalbox: 'It has the progress that the policy finds in the log.',
      why: 'Nothing in the program has to know of it.',
    },
    ...ATTEMPTS,
    ...SIDECARS,
  ],
};
