import { z } from 'zod';
import { CLEAN_UP_TIMES } from '../../contracts/training-job.ts';
import { podTemplate, replicas, schedulingPolicy } from '../fields/manifest-schema.ts';
import type { Dialect, RoleFields } from '../model/dialect.ts';
import { gangFieldsOf } from './scheduling-policy.ts';

/** Schema for one of several words; an absent or empty value means the fallback. */
export const orDefault = <const Word extends string>(words: readonly Word[], fallback: NoInfer<Word>) =>
  z.preprocess((given) => (given === '' ? undefined : given), z.enum(words).default(fallback));

/** A role has the restart policy of its pods. */
const restartPolicy = z.looseObject({
  spec: z.looseObject({ restartPolicy: z.enum(['Always', 'OnFailure', 'Never']).optional() }),
});

const role = z.looseObject({
  replicas: replicas.describe('Number of pods of the role.'),
  requests: z.int().optional().describe('Ignored, as in paddle-operator.'),
  limits: z.int().optional().describe('Ignored, as in paddle-operator.'),
  template: podTemplate.and(restartPolicy),
});

const policy = schedulingPolicy
  .omit({ scheduleTimeoutSeconds: true })
  .meta({ id: 'PaddleSchedulingPolicy', description: 'What Volcano is asked for; docs/gang-scheduling.md.' });

const spec = z.looseObject({
  cleanPodPolicy: orDefault(CLEAN_UP_TIMES, 'OnCompletion').describe('At which end the pods are removed.'),
  schedulingPolicy: policy.optional().describe('What the gang scheduler is asked for.'),
});
type Spec = z.infer<typeof spec>;

const NEVER_READ = 'ignored, as in paddle-operator; replicas sets the number of pods';

/** Manifests of batch.paddlepaddle.org: roles and policies are fields of spec itself. */
export const PADDLE_DIALECT: Dialect = {
  spec,
  role: role as unknown as z.ZodType<RoleFields>,
  fields: {
    '': Object.keys(spec.shape),
    schedulingPolicy: Object.keys(policy.shape),
    '*': Object.keys(role.shape),
  },
  withoutEffect: Object.fromEntries(
    ['ps', 'worker', 'heter'].flatMap((name) =>
      ['requests', 'limits'].map((field) => [`${name}.${field}`, NEVER_READ]),
    ),
  ),
  schedulingPolicyPath: 'spec.schedulingPolicy',
  groupsOnlyForOneScheduler: true,
  volcano: {
    podAnnotations: ({ name, gang }, role) => ({
      'volcano.sh/task-spec': role,
      'volcano.sh/job-name': name,
      'volcano.sh/job-version': '0',
      'volcano.sh/queue-name': gang.queue ?? '',
    }),
  },
  check: () => [],
  policies: (given) => {
    const { cleanPodPolicy, schedulingPolicy: scheduling } = given as Spec;
    return { runPolicy: { cleanPodPolicy }, gang: gangFieldsOf(scheduling) };
  },
};
