import { z } from 'zod';
import { count, envVar, ofKubernetes } from '../../../fields/manifest-schema.ts';

/** Schemas of what a TrainJob changes of its runtime. */

export const envVars = z.array(ofKubernetes(envVar)).max(128);
export const maps = z.record(z.string(), z.string());
const anyObject = z.record(z.string(), z.unknown());

const patchedMount = z
  .looseObject({ mountPath: z.string().min(1).describe('Where the container sees the volume.') })
  .meta({
    id: 'PatchedVolumeMount',
    description: 'A mount, merged by its path, with any field that Kubernetes knows.',
  });

const patchedContainer = z
  .looseObject({
    name: z.string().min(1).describe('Name of the container.'),
    env: envVars.optional().describe('Variables, over those of the same name.'),
    volumeMounts: z.array(ofKubernetes(patchedMount)).optional().describe('Volumes that the container sees.'),
    securityContext: anyObject.optional().describe('User, groups and capabilities.'),
  })
  .meta({ id: 'TrainJobContainerPatch', description: 'What is merged into the container of that name.' });

const named = z.array(
  ofKubernetes(
    z.looseObject({ name: z.string().min(1).describe('Name of the item.') }).meta({
      id: 'PatchedItem',
      description: 'An item of a list, merged by its name, with any field that Kubernetes knows.',
    }),
  ),
);

/** The fields of a pod that patches may set. */
const patchedPod = z
  .looseObject({
    serviceAccountName: z.string().optional().describe('Service account of the pods.'),
    volumes: named.optional().describe('Volumes that containers can mount.'),
    initContainers: z.array(patchedContainer).optional().describe('Changes of init containers.'),
    containers: z.array(patchedContainer).optional().describe('Changes of containers.'),
    imagePullSecrets: named.optional().describe('Secrets for the registry of the images.'),
    securityContext: anyObject.optional().describe('User and groups of all containers.'),
    nodeSelector: maps.optional().describe('Labels that a node must have.'),
    affinity: anyObject.optional().describe('Rules for the choice of nodes.'),
    tolerations: z.array(anyObject).optional().describe('Taints that the pods tolerate.'),
    schedulingGates: named.optional().describe('Gates that hold the pods back from scheduling.'),
    terminationGracePeriodSeconds: count.optional().describe('Seconds between SIGTERM and SIGKILL.'),
  })
  .meta({ id: 'TrainJobPodPatch', description: 'What is merged into the spec of the pods.' });

const patchedMetadata = z
  .looseObject({
    labels: maps.optional().describe('Labels, over those of the runtime.'),
    annotations: maps.optional().describe('Annotations, over those of the runtime.'),
  })
  .meta({ id: 'TrainJobMetadataPatch', description: 'What is merged into labels and annotations.' });

const patchedPodTemplate = z
  .looseObject({
    metadata: patchedMetadata.optional().describe('Labels and annotations of the pods.'),
    spec: patchedPod.optional().describe('Changes of the pods.'),
  })
  .meta({ id: 'TrainJobPodTemplatePatch', description: 'What is merged into the template of the pods.' });

const patchedJobTemplate = z
  .looseObject({
    metadata: patchedMetadata.optional().describe('Labels and annotations of the Jobs.'),
    spec: z
      .looseObject({
        template: patchedPodTemplate.optional().describe('Changes of the template of the pods.'),
      })
      .meta({ id: 'TrainJobJobSpecPatch', description: 'What is merged into the spec of the Jobs.' })
      .optional()
      .describe('Changes of the Jobs.'),
  })
  .meta({ id: 'TrainJobJobTemplatePatch', description: 'What is merged into the template of the Jobs.' });

const patchedJob = z
  .looseObject({
    name: z.string().min(1).describe('Name of the replicated job.'),
    template: patchedJobTemplate.optional().describe('Changes of the template of its Jobs.'),
  })
  .meta({
    id: 'TrainJobReplicatedJobPatch',
    description: 'What is merged into the replicated job of that name.',
  });
export type PatchedJob = z.infer<typeof patchedJob>;

const patchedJobSet = z
  .looseObject({
    metadata: patchedMetadata.optional().describe('Labels and annotations of the JobSet.'),
    spec: z
      .looseObject({ replicatedJobs: z.array(patchedJob).optional().describe('Changes of replicated jobs.') })
      .meta({ id: 'TrainJobJobSetSpecPatch', description: 'What is merged into the spec of the JobSet.' })
      .optional()
      .describe('Changes of the JobSet.'),
  })
  .meta({ id: 'TrainJobJobSetPatch', description: 'What is merged into the template of the JobSet.' });

export const runtimePatch = z
  .looseObject({
    manager: z
      .string()
      .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\.[a-z0-9]+\/[^\s/]+(\/[^\s/]+)*$/, {
        error: 'a path with a domain before it, e.g. example.com/platform',
      })
      .describe('Who made the patch, e.g. example.com/platform.'),
    time: z.unknown().optional().describe('Ignored: when the patch was made.'),
    trainingRuntimeSpec: z
      .looseObject({ template: patchedJobSet.optional().describe('Changes of the template of the JobSet.') })
      .meta({ id: 'TrainJobRuntimeSpecPatch', description: 'What is merged into the spec of the runtime.' })
      .optional()
      .describe('What is merged into the runtime.'),
  })
  .meta({ id: 'TrainJobRuntimePatch', description: 'What is merged into the runtime.' });

const targetJobs = z
  .array(
    z
      .looseObject({ name: z.string().min(1).describe('Name of the replicated job.') })
      .meta({ id: 'TrainJobTargetJob', description: 'A replicated job that is changed.' }),
  )
  .optional()
  .describe('Replicated jobs that are changed.');

export const podTemplateOverride = patchedPodTemplate
  .extend({ targetJobs })
  .meta({ id: 'TrainJobPodTemplateOverride', description: 'Of Trainer 2.1: changes of pod templates.' });

export const podSpecOverride = patchedPod
  .extend({ targetJobs })
  .meta({ id: 'TrainJobPodSpecOverride', description: 'Of Trainer 2.0: changes of pods.' });
