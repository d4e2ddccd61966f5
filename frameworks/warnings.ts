import type { Role, TrainingJob } from '../contracts/training-job.ts';
import { type Framework, totalReplicas } from './framework.ts';
import { mainContainerOf } from './main-container.ts';
import { replicaSpec, runPolicy, schedulingPolicy } from './manifest-schema.ts';

/** What was accepted but may not do what its writer expects. */
export function warningsOf(
  framework: Framework,
  manifest: Readonly<Record<string, unknown>>,
  job: TrainingJob,
): string[] {
  const spec = manifest.spec as Fields;
  return [
    ...unknownFields('spec', spec, ['runPolicy', framework.replicaSpecs, ...framework.optionNames]),
    ...unknownFields('spec.runPolicy', spec.runPolicy, Object.keys(runPolicy.shape)),
    ...unknownFields(
      'spec.runPolicy.schedulingPolicy',
      spec.runPolicy?.schedulingPolicy,
      Object.keys(schedulingPolicy.shape),
    ),
    ...Object.entries(spec[framework.replicaSpecs] ?? {}).flatMap(([role, fields]) =>
      unknownFields(`spec.${framework.replicaSpecs}.${role}`, fields, Object.keys(replicaSpec.shape)),
    ),
    ...withoutEffect(spec),
    ...gangWarnings(job),
    ...job.roles.flatMap((role) => [
      ...containerWarnings(framework, role),
      ...restartWarnings(framework, role),
      ...overriddenVariables(framework, job, role),
    ]),
  ];
}

type Fields = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

function unknownFields(path: string, value: unknown, known: readonly string[]): string[] {
  return Object.keys((value as object | undefined) ?? {})
    .filter((field) => !known.includes(field))
    .map((field) => `${path}.${field}: unknown field, ignored`);
}

/** Fields that are valid and change nothing here. */
const WITHOUT_EFFECT: readonly (readonly [path: string, why: string])[] = [
  ['runPolicy.ttlSecondsAfterFinished', 'not acted on yet; objects stay as cleanPodPolicy says'],
  ['runPolicy.schedulingPolicy.queue', 'not acted on; native gang scheduling has no queues'],
  ['runPolicy.schedulingPolicy.minResources', 'not acted on; a gang is counted in pods'],
  ['runPolicy.schedulingPolicy.scheduleTimeoutSeconds', 'not acted on; a gang waits until there is room'],
  ['elasticPolicy.metrics', 'not acted on; there is no object that an autoscaler could scale'],
  ['elasticPolicy.nProcPerNode', 'deprecated; use spec.nprocPerNode'],
];

const withoutEffect = (spec: Fields): string[] =>
  WITHOUT_EFFECT.filter(([path]) => valueAt(spec, path) !== undefined).map(
    ([path, why]) => `spec.${path}: ${why}`,
  );

const valueAt = (spec: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], spec);

/** A gang of more than there are is never complete. */
function gangWarnings({ gang, roles }: TrainingJob): string[] {
  const members = totalReplicas(roles);
  if (gang.minMember <= members) return [];
  return [
    `spec.runPolicy.schedulingPolicy.minAvailable: ${gang.minMember} of ${members} pods can never be placed together; a gang scheduler will wait for ever`,
  ];
}

function containerWarnings(framework: Framework, { name, template }: Role): string[] {
  const main = mainContainerOf(template, framework);
  if (main.name === framework.container) return [];
  return [
    `spec.${framework.replicaSpecs}.${name}: no container is named ${framework.container}; ${main.name}, the first, is taken for it`,
  ];
}

function restartWarnings({ replicaSpecs }: Framework, { name, restartPolicy, template }: Role): string[] {
  const path = `spec.${replicaSpecs}.${name}`;
  const ofPod = template.spec.restartPolicy;
  const warnings: string[] = [];
  if (restartPolicy === 'Always') {
    warnings.push(
      `${path}.restartPolicy: Always also restarts what has succeeded, so its pods never complete; OnFailure may be meant`,
    );
  }
  if (ofPod && ofPod !== restartPolicy) {
    warnings.push(
      `${path}.template.spec.restartPolicy: ${ofPod} is overwritten by the role's ${restartPolicy}`,
    );
  }
  return warnings;
}

/** A variable that the manifest sets wins over the injected one, whatever that breaks: so it is said. */
function overriddenVariables(framework: Framework, job: TrainingJob, role: Role): string[] {
  // Of the last replica: a number that is right for the first one only is wrong for the others.
  const variables = framework.environment(job, role, role.replicas - 1);
  const injected = new Map(variables.map(({ name, value }) => [name, value]));
  return role.template.spec.containers.flatMap((container) =>
    (container.env ?? [])
      .filter(({ name, value }) => injected.has(name) && injected.get(name) !== value)
      .map(
        ({ name }) =>
          `spec.${framework.replicaSpecs}.${role.name}: container ${container.name} sets ${name} itself; signalbox’s value is not used`,
      ),
  );
}
