import { z } from 'zod';
import { container, INT32, ofKubernetes } from '../../../fields/manifest-schema.ts';
import { envVars, maps, podSpecOverride, podTemplateOverride, runtimePatch } from './patch-schema.ts';
import { runtimeSpec } from './runtime.ts';

const words = z.array(z.string()).max(128);

const initializer = z
  .looseObject({
    storageUri: z
      .string()
      .max(2048)
      .regex(/^$|^[^:/]+:\/\/.+/, { error: 'scheme://..., e.g. hf://org/model' })
      .optional()
      .describe('Where it loads from: scheme://...'),
    env: envVars.optional().describe('Variables of the initializer.'),
    secretRef: z
      .looseObject({ name: z.string().min(1).describe('Name of the Secret.') })
      .meta({ id: 'TrainJobSecretRef', description: 'A Secret of the job’s namespace.' })
      .optional()
      .describe('Secret whose keys are variables of the initializer.'),
  })
  .meta({ id: 'TrainJobInitializer', description: 'What is loaded before the training begins.' });

const trainer = z
  .looseObject({
    image: container.shape.image.max(500).optional().describe('Image of the nodes; default: the runtime’s.'),
    command: words.optional().describe('Program of the nodes; default: the runtime’s.'),
    args: words.optional().describe('Arguments of the program; default: the runtime’s.'),
    env: envVars.optional().describe('Variables of the nodes, over those of the runtime.'),
    numNodes: z.int().min(1).max(INT32).optional().describe('Number of nodes; default: the runtime’s.'),
    resourcesPerNode: ofKubernetes(container.shape.resources).describe(
      'Resources of each node, over those of the runtime.',
    ),
    numProcPerNode: z
      .union([z.int().min(1).max(INT32), z.enum(['auto', 'cpu', 'gpu'])], {
        error: 'an integer >= 1, or as in Trainer 2.1 auto, cpu or gpu',
      })
      .optional()
      .describe('Processes on each node; default: by its resources.'),
  })
  .meta({ id: 'TrainJobTrainer', description: 'What the nodes run.' });

/** The value of managedBy that names Trainer's controller. The API allows one other: Kueue's, for jobs of another cluster. */
export const TRAINER_MANAGER = 'trainer.kubeflow.org/trainjob-controller';

/** What a TrainJob says of itself, beside when it runs. `runtime`: the spec of the runtime that it names. */
export const options = z.object({
  runtimeRef: z
    .looseObject({
      name: z.string().min(1).describe('Name of the runtime.'),
      // As in Trainer's definition: Kueue finds no runtime of a reference that leaves them out.
      apiGroup: z
        .literal('trainer.kubeflow.org')
        .default('trainer.kubeflow.org')
        .describe('Only this group.'),
      kind: z
        .enum(['ClusterTrainingRuntime', 'TrainingRuntime'])
        .default('ClusterTrainingRuntime')
        .describe('ClusterTrainingRuntime (default), or TrainingRuntime of the job’s namespace.'),
    })
    .meta({ id: 'TrainJobRuntimeRef', description: 'Which runtime a job is made from.' })
    .describe('The runtime that the job is made from.'),
  initializer: z
    .looseObject({
      dataset: initializer.optional().describe('Loads the data set.'),
      model: initializer.optional().describe('Loads the model.'),
    })
    .meta({ id: 'TrainJobInitializers', description: 'What loads the data set, and what loads the model.' })
    .optional()
    .describe('What is loaded before the training begins.'),
  trainer: trainer.optional().describe('What the nodes run.'),
  runtimePatches: z.array(runtimePatch).max(16).optional().describe('Changes of the runtime for this job.'),
  podTemplateOverrides: z
    .array(podTemplateOverride)
    .optional()
    .describe('Of Trainer 2.1: use runtimePatches.'),
  podSpecOverrides: z.array(podSpecOverride).optional().describe('Of Trainer 2.0: use runtimePatches.'),
  labels: maps.optional().describe('Of Trainer 2.0 and 2.1: no pod has them.'),
  annotations: maps.optional().describe('Of Trainer 2.0 and 2.1: use runtimePatches.'),
  managedBy: z
    .literal(TRAINER_MANAGER, {
      error: `${TRAINER_MANAGER}, as no other cluster runs a job that is submitted`,
    })
    .optional()
    .describe('Who runs the job.'),
  runtime: runtimeSpec.describe('The runtime, as it was at submission.'),
});
export type TrainOptions = z.infer<typeof options>;
