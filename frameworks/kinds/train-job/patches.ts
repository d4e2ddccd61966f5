import type { Fault } from '../../../contracts/types.ts';
import { nearest } from '../../../language/did-you-mean.ts';
import { didYouMean } from '../../../language/meant.ts';
import { describeValue } from '../../fields/faults.ts';
import type { TrainOptions } from './spec/options.ts';
import type { PatchedJob } from './spec/patch-schema.ts';
import { ancestorOf, containerOfAncestor, type ReplicatedJob } from './spec/runtime.ts';
import { merged } from './spec/strategic-merge.ts';

/** One change of a replicated job, and where the manifest has it. */
interface JobPatch {
  readonly job: PatchedJob;
  readonly path: string;
  /** Where it names the job, and its pod. */
  readonly namePath: string;
  readonly podPath: string;
}

/** Returns the runtime's replicated jobs as the job's patches change them, in their order. */
export function patchedJobs(given: TrainOptions): readonly ReplicatedJob[] {
  const patches = patchesOf(given);
  return given.runtime.template.spec.replicatedJobs.map((one) =>
    patches
      .filter(({ job }) => job.name === one.name)
      .reduce((patched, { job }) => merged(patched, ofKnownContainers(job, one)) as ReplicatedJob, one),
  );
}

const LISTS = ['initContainers', 'containers'] as const;

/** Leaves out containers that the runtime does not have: these are a fault. */
function ofKnownContainers(patch: PatchedJob, { template }: ReplicatedJob): PatchedJob {
  const pod = patch.template?.spec?.template?.spec;
  if (!pod) return patch;
  const lists = LISTS.flatMap((list) => {
    const known = namesOf(template.spec.template.spec[list] ?? []);
    return pod[list] ? [[list, pod[list].filter(({ name }) => known.includes(name))] as const] : [];
  });
  const spec = { ...pod, ...Object.fromEntries(lists) };
  const podTemplate = { ...patch.template?.spec?.template, spec };
  return {
    ...patch,
    template: { ...patch.template, spec: { ...patch.template?.spec, template: podTemplate } },
  };
}

/** Returns the annotations and labels of the set of jobs, which pods do not have. */
export const patchedSetMetadata = ({ runtime, runtimePatches = [] }: TrainOptions) =>
  runtimePatches.reduce(
    (metadata, { trainingRuntimeSpec }) => merged(metadata, trainingRuntimeSpec?.template?.metadata ?? {}),
    runtime.template.metadata ?? {},
  );

/** Also those that Trainer 2.0 and 2.1 had, under other names. */
function patchesOf(given: TrainOptions): readonly JobPatch[] {
  const { runtimePatches = [], podTemplateOverrides = [], podSpecOverrides = [] } = given;
  const patches = runtimePatches.flatMap(({ trainingRuntimeSpec }, index) =>
    (trainingRuntimeSpec?.template?.spec?.replicatedJobs ?? []).map((job, at) => {
      const path = `spec.runtimePatches[${index}].trainingRuntimeSpec.template.spec.replicatedJobs[${at}]`;
      return { job, path, namePath: `${path}.name`, podPath: `${path}.template.spec.template.spec` };
    }),
  );
  const templates = podTemplateOverrides.flatMap(({ targetJobs, metadata, spec }, index) =>
    forTargets(
      given,
      { targetJobs, path: `spec.podTemplateOverrides[${index}]`, inPod: '.spec' },
      { metadata, spec },
    ),
  );
  const specs = podSpecOverrides.flatMap(({ targetJobs, ...spec }, index) =>
    forTargets(given, { targetJobs, path: `spec.podSpecOverrides[${index}]`, inPod: '' }, { spec }),
  );
  return [...patches, ...templates, ...specs];
}

interface Override {
  readonly targetJobs: readonly { readonly name: string }[] | undefined;
  readonly path: string;
  readonly inPod: string;
}

/** Without targets an override is for every replicated job. */
function forTargets(
  { runtime }: TrainOptions,
  { targetJobs, path, inPod }: Override,
  template: NonNullable<NonNullable<PatchedJob['template']>['spec']>['template'],
): readonly JobPatch[] {
  const targets = targetJobs ?? runtime.template.spec.replicatedJobs;
  return targets.map(({ name }, at) => ({
    job: { name, template: { spec: { template } } },
    ...{ path, namePath: `${path}.targetJobs[${at}].name`, podPath: `${path}${inPod}` },
  }));
}

/** Returns patches of what the runtime does not have: they would add a job or a container without an image. */
export function checkPatches(given: TrainOptions): Fault[] {
  const { replicatedJobs } = given.runtime.template.spec;
  return patchesOf(given).flatMap((patch) => {
    const job = replicatedJobs.find(({ name }) => name === patch.job.name);
    if (job) return checkContainers(patch, job);
    return [
      unknownName(patch.namePath, patch.job.name, { what: 'replicated job', known: namesOf(replicatedJobs) }),
    ];
  });
}

function checkContainers({ job, podPath }: JobPatch, { template, ...one }: ReplicatedJob): Fault[] {
  const pod = job.template?.spec?.template?.spec;
  const ancestor = ancestorOf({ ...one, template });
  return LISTS.flatMap((list) =>
    (pod?.[list] ?? []).flatMap(({ name, env }, index) => {
      const known = namesOf(template.spec.template.spec[list] ?? []);
      const path = `${podPath}.${list}[${index}]`;
      if (!known.includes(name)) return [unknownName(`${path}.name`, name, { what: 'container', known })];
      if (!env?.length || ancestor === undefined || name !== containerOfAncestor(ancestor)) return [];
      const instead = ancestor === 'trainer' ? 'spec.trainer.env' : 'spec.initializer';
      return [
        {
          path: `${path}.env`,
          expected: `no variables of ${name}: ${instead} has them`,
          got: describeValue(env),
        },
      ];
    }),
  );
}

const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

function unknownName(
  path: string,
  name: string,
  { what, known }: { readonly what: string; readonly known: readonly string[] },
): Fault {
  const meant = didYouMean(nearest(name, known));
  const expected = `a ${what} of the runtime: ${known.join(', ') || 'there is none'}${meant && ` (${meant})`}`;
  return { path, expected, got: describeValue(name) };
}
