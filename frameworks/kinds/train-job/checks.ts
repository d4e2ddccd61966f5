import type { Fault } from '../../../contracts/types.ts';
import { isOneOf } from '../../../language/one-of.ts';
import { describeValue } from '../../fields/faults.ts';
import { LONGEST_NAME } from '../../fields/manifest-schema.ts';
import type { Draft } from '../../model/framework.ts';
import { QUEUE, queueOf } from './dialect.ts';
import { trainJobOf } from './join.ts';
import { placeOf } from './marks.ts';
import { checkPatches } from './patches.ts';
import { NODE } from './policies/ml-policy.ts';
import { policiesNamed, policyOf } from './policies/registry.ts';
import { containerNamed, podSpecOf } from './spec/containers.ts';
import { DEFAULT_RESTART_POLICY } from './spec/job-spec.ts';
import type { TrainOptions } from './spec/options.ts';
import {
  ANCESTOR_LABEL,
  ANCESTORS,
  ancestorOf,
  containerOfAncestor,
  JOBS_PATH,
  type ReplicatedJob,
} from './spec/runtime.ts';
import { checkOrder } from './start-order.ts';

/** Rules that span several fields of a TrainJob and its runtime. */
export function checkTrainJob(draft: Draft<TrainOptions>): Fault[] {
  const job = trainJobOf(draft);
  const { runtime } = draft.options;
  const jobs = runtime.template.spec.replicatedJobs;
  return [
    ...checkLongNames(draft),
    ...checkPolicies(draft),
    ...jobs.flatMap(checkReplicatedJob),
    ...checkOrder(runtime),
    ...checkNames(draft.options),
    ...checkPatches(draft.options),
    ...checkSteps(draft.options),
    ...checkVariables(draft),
    ...(policyOf(job).check?.(job, jobs) ?? []),
  ];
}

const RANDOM = '-abcde';

/** Under Trainer pods have a random ending: a manifest that is too long there is refused here, too. */
function checkLongNames({ name, roles }: Draft): Fault[] {
  const endings = roles.map((role) => {
    const { jobIndex, podIndex } = placeOf({ role, index: role.replicas - 1 });
    return `-${role.name}-${jobIndex}-${podIndex}${RANDOM}`;
  });
  const longest = endings.reduce((a, b) => (b.length > a.length ? b : a), '');
  const most = LONGEST_NAME - longest.length;
  if (name.length <= most) return [];
  const expected = `at most ${most} characters, because pods of Trainer add ${longest} and names have at most ${LONGEST_NAME}`;
  return [{ path: 'metadata.name', expected, got: `${name.length}` }];
}

function checkPolicies(draft: Draft<TrainOptions>): Fault[] {
  const { podGroupPolicy } = draft.options.runtime;
  const named = policiesNamed(trainJobOf(draft));
  const groups = Object.keys(podGroupPolicy ?? {}).filter(
    (name) => name === 'coscheduling' || name === 'volcano',
  );
  return [
    ...onlyOne('spec.runtime.mlPolicy', named),
    ...onlyOne('spec.runtime.podGroupPolicy', groups),
    ...checkQueue(draft.options),
    ...checkSuccess(draft.options),
  ];
}

function checkQueue(options: TrainOptions): Fault[] {
  if (!options.runtime.podGroupPolicy?.volcano || queueOf(options) !== '') return [];
  const path = `spec.runtime.template.metadata.annotations[${QUEUE}]`;
  return [{ path, expected: 'a non-empty string', got: '""' }];
}

const onlyOne = (path: string, names: readonly string[]): Fault[] =>
  names.length < 2 ? [] : [{ path, expected: 'one of its policies', got: names.join(' and ') }];

function checkSuccess({ runtime }: TrainOptions): Fault[] {
  const { successPolicy, replicatedJobs } = runtime.template.spec;
  const { operator, targetReplicatedJobs } = successPolicy ?? {};
  const targets = targetReplicatedJobs?.length
    ? targetReplicatedJobs
    : replicatedJobs.map(({ name }) => name);
  if (operator !== 'Any' || targets.length === 1) return [];
  const path = 'spec.runtime.template.spec.successPolicy.operator';
  return [{ path, expected: 'All, or one job in targetReplicatedJobs', got: describeValue(operator) }];
}

function checkReplicatedJob(job: ReplicatedJob, index: number): Fault[] {
  const path = `${JOBS_PATH}[${index}]`;
  return [...checkAncestor(job, path), ...checkFailureRules(job, `${path}.template.spec`)];
}

function checkAncestor(job: ReplicatedJob, path: string): Fault[] {
  const ancestor = ancestorOf(job);
  if (ancestor === undefined) return [];
  if (!isOneOf(ANCESTORS, ancestor)) {
    const at = `${path}.template.metadata.labels[${ANCESTOR_LABEL}]`;
    return [{ path: at, expected: `one of ${ANCESTORS.join(', ')}`, got: describeValue(ancestor) }];
  }
  const { replicas = 1 } = job;
  const container = containerOfAncestor(ancestor);
  return [
    ...(replicas === 1
      ? []
      : [{ path: `${path}.replicas`, expected: `1 for a ${ancestor}`, got: `${replicas}` }]),
    ...(containerNamed(job, container)
      ? []
      : [
          {
            path: `${path}.template.spec.template.spec.containers`,
            expected: `a container ${container} in a ${ancestor}`,
            got: describeValue(podSpecOf(job).containers.map(({ name }) => name)),
          },
        ]),
  ];
}

/** Kubernetes itself allows podFailurePolicy only where the kubelet restarts nothing. */
function checkFailureRules(job: ReplicatedJob, path: string): Fault[] {
  const { podFailurePolicy, template } = job.template.spec;
  if (!podFailurePolicy) return [];
  const { restartPolicy = DEFAULT_RESTART_POLICY } = template.spec as { restartPolicy?: string };
  const main = (containerNamed(job, NODE) ?? podSpecOf(job).containers[0]!).name;
  const never =
    restartPolicy === 'Never'
      ? []
      : [
          {
            path: `${path}.template.spec.restartPolicy`,
            expected: 'Never beside podFailurePolicy',
            got: restartPolicy,
          },
        ];
  const rules = podFailurePolicy.rules.flatMap(({ action, onExitCodes, onPodConditions = [] }, index) => {
    const at = `${path}.podFailurePolicy.rules[${index}]`;
    const { containerName = main } = onExitCodes ?? {};
    const other = onPodConditions.findIndex(({ type }) => type !== 'DisruptionTarget' || action !== 'Ignore');
    return [
      ...(containerName === main
        ? []
        : [{ path: `${at}.onExitCodes.containerName`, expected: main, got: describeValue(containerName) }]),
      ...(other < 0
        ? []
        : [
            {
              path: `${at}.onPodConditions[${other}]`,
              expected: 'DisruptionTarget with action Ignore: a pod that its node ends costs nothing',
              got: `${onPodConditions[other]!.type} with action ${action}`,
            },
          ]),
    ];
  });
  return [...never, ...rules];
}

/** Rules of the runtime that name replicated jobs. */
function checkNames({ runtime }: TrainOptions): Fault[] {
  const { replicatedJobs, successPolicy, failurePolicy, coordinator } = runtime.template.spec;
  const path = 'spec.runtime.template.spec';
  const listed = [
    ...(successPolicy?.targetReplicatedJobs ?? []).map((name, at) => ({
      name,
      path: `${path}.successPolicy.targetReplicatedJobs[${at}]`,
    })),
    ...(failurePolicy?.rules ?? []).flatMap(({ targetReplicatedJobs = [] }, index) =>
      targetReplicatedJobs.map((name, at) => ({
        name,
        path: `${path}.failurePolicy.rules[${index}].targetReplicatedJobs[${at}]`,
      })),
    ),
    ...(coordinator ? [{ name: coordinator.replicatedJob, path: `${path}.coordinator.replicatedJob` }] : []),
  ];
  const names = replicatedJobs.map(({ name }) => name);
  return listed
    .filter(({ name }) => !names.includes(name))
    .map((one) => ({ path: one.path, expected: `one of ${names.join(', ')}`, got: describeValue(one.name) }));
}

const VOLUME = 'initializer';

/** What the job says of its steps needs a replicated job that is one; an initializer shares a volume with the nodes. */
function checkSteps({ trainer, initializer, runtime }: TrainOptions): Fault[] {
  const jobs = runtime.template.spec.replicatedJobs;
  const ofTrainer =
    trainer && !jobs.some((job) => ancestorOf(job) === 'trainer')
      ? [{ path: 'spec.trainer', expected: 'a runtime with a trainer', got: 'one without' }]
      : [];
  const ofInitializers = (['dataset', 'model'] as const).flatMap((step) => {
    if (!initializer?.[step]) return [];
    const name = `${step}-initializer`;
    const job = jobs.find((one) => ancestorOf(one) === name);
    const mounts =
      job && (containerNamed(job, name)?.volumeMounts as readonly { readonly name?: string }[] | undefined);
    if (mounts?.some((mount) => mount.name === VOLUME)) return [];
    const expected = job
      ? `a runtime whose ${name} mounts a volume ${VOLUME}, where it loads to`
      : `a runtime with a ${name}`;
    return [{ path: `spec.initializer.${step}`, expected, got: job ? 'no such volume' : 'none' }];
  });
  return [...ofTrainer, ...ofInitializers];
}

function checkVariables(draft: Draft<TrainOptions>): Fault[] {
  const { reserved } = policyOf(trainJobOf(draft));
  return (draft.options.trainer?.env ?? []).flatMap(({ name }, index) =>
    reserved.includes(name)
      ? [
          {
            path: `spec.trainer.env[${index}].name`,
            expected: 'another name: the runtime sets it',
            got: name,
          },
        ]
      : [],
  );
}
