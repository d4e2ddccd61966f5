import type { EnvVar } from '../../../../contracts/kubernetes.ts';
import type { Fault } from '../../../../contracts/types.ts';
import { describeValue } from '../../../fields/faults.ts';
import { containerNamed, podSpecOf, withContainer, withEnv } from '../spec/containers.ts';
import { ancestorOf, type ReplicatedJob, TRAINER } from '../spec/runtime.ts';
import {
  firstNodeOf,
  indexVariable,
  type JobWithRuntime,
  MEETING_PORT,
  type MlPolicy,
  NODE,
  nodesOf,
} from './ml-policy.ts';
import { cpusOfNode, gpusOfNode } from './node-resources.ts';
import { checkTune, isTune, withTune } from './torchtune.ts';
import { withMeeting } from './trainer-jobs.ts';

/** What torchrun reads. */
export const torch: MlPolicy = {
  reserved: ['PET_NNODES', 'PET_NPROC_PER_NODE', 'PET_NODE_RANK', 'PET_MASTER_ADDR', 'PET_MASTER_PORT'],
  check: (job, jobs) => [...checkTargets(job, jobs), ...(isTune(job) ? checkTune(job) : [])],
  apply: (jobs, job) => {
    const trainer = jobs.find((one) => ancestorOf(one) === TRAINER);
    if (!trainer) return jobs;
    const variables = variablesOf(job, trainer);
    const changed = jobs.map((one) => (one === trainer ? withMeeting(one, variables) : one));
    return injected(
      isTune(job) ? withTune(changed, job, processesOf(job, trainer)) : changed,
      job,
      variables,
    );
  },
};

function variablesOf(job: JobWithRuntime, trainer: ReplicatedJob): readonly EnvVar[] {
  return [
    { name: 'PET_NNODES', value: `${nodesOf(job)}` },
    { name: 'PET_NPROC_PER_NODE', value: processesOf(job, trainer) },
    indexVariable('PET_NODE_RANK'),
    // torchtune has the address in its command.
    ...(isTune(job)
      ? []
      : [
          { name: 'PET_MASTER_ADDR', value: firstNodeOf(job, trainer.name) },
          { name: 'PET_MASTER_PORT', value: `${MEETING_PORT}` },
        ]),
  ];
}

/** By GPUs torchrun itself counts: `auto`. */
function processesOf(job: JobWithRuntime, trainer: ReplicatedJob): string {
  const { trainer: given, runtime } = job.options;
  const asked = given?.numProcPerNode ?? runtime.mlPolicy?.torch?.numProcPerNode;
  if (asked !== undefined && asked !== 'auto') return `${asked}`;
  return gpusOfNode(job, trainer) > 0 ? 'auto' : `${Math.max(1, cpusOfNode(job, trainer))}`;
}

/** Other containers of the runtime that want the variables. */
function injected(jobs: readonly ReplicatedJob[], { options }: JobWithRuntime, variables: readonly EnvVar[]) {
  const targets = options.runtime.mlPolicy?.torch?.envInjection?.targets ?? [];
  return jobs.map((job) =>
    targets
      .filter(({ jobName }) => jobName === job.name)
      .flatMap(({ containerNames }) => containerNames)
      .filter((name) => name !== NODE)
      .reduce((changed, name) => withContainer(changed, name, (one) => withEnv(one, variables)), job),
  );
}

function checkTargets({ options }: JobWithRuntime, jobs: readonly ReplicatedJob[]): Fault[] {
  const targets = options.runtime.mlPolicy?.torch?.envInjection?.targets ?? [];
  return targets.flatMap(({ jobName, containerNames }, index) => {
    const path = `spec.runtime.mlPolicy.torch.envInjection.targets[${index}]`;
    const job = jobs.find(({ name }) => name === jobName);
    if (!job)
      return [
        {
          path: `${path}.jobName`,
          expected: `one of ${jobs.map(({ name }) => name).join(', ')}`,
          got: describeValue(jobName),
        },
      ];
    return containerNames.flatMap((name, at) => {
      const isThere =
        containerNamed(job, name) ?? podSpecOf(job).initContainers?.find((one) => one.name === name);
      const expected = `a container of ${jobName}`;
      return isThere ? [] : [{ path: `${path}.containerNames[${at}]`, expected, got: describeValue(name) }];
    });
  });
}
