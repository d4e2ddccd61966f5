import { z } from 'zod';
import type { Fault } from '../contracts/faults.ts';
import type { EnvVar } from '../contracts/kubernetes.ts';
import { podNameOf } from '../contracts/labels.ts';
import type { Role, TrainingJob } from '../contracts/training-job.ts';
import { type Draft, type Framework, findRole, totalReplicas } from './framework.ts';
import { rendezvousPort } from './main-container.ts';

/** What torchrun takes: the kinds of devices that torch counts by itself, or a number. */
const PROCESSES = { error: 'auto, cpu, gpu, xpu, npu, hpu, mtia, or a number >= 1' };
const processCount = z
  .union([z.string(), z.int()], PROCESSES)
  .transform(String)
  .refine((text) => /^(auto|cpu|gpu|xpu|npu|hpu|mtia|[1-9]\d*)$/.test(text), PROCESSES);

const elasticPolicy = z.looseObject({
  minReplicas: z.int().min(1).optional(),
  maxReplicas: z.int().min(1).optional(),
  rdzvBackend: z.string().min(1).optional(),
  rdzvPort: z.int().min(1).max(65_535).optional(),
  rdzvHost: z.string().min(1).optional(),
  rdzvId: z.string().optional(),
  rdzvConf: z.array(z.looseObject({ key: z.string(), value: z.string() })).optional(),
  standalone: z.boolean().optional(),
  nProcPerNode: z.int().min(1).optional(),
  maxRestarts: z.int().min(0).optional(),
  metrics: z.array(z.unknown()).optional(),
});

const options = z.object({ nprocPerNode: processCount.optional(), elasticPolicy: elasticPolicy.optional() });
type Options = z.infer<typeof options>;

/** PyTorchJob, kubeflow.org/v1, as training-operator v1.9 runs it. */
export const pytorch: Framework = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  operatorName: 'pytorchjob-controller',
  replicaSpecs: 'pytorchReplicaSpecs',
  roles: [
    { name: 'Master', minReplicas: 1, maxReplicas: 1 },
    { name: 'Worker', minReplicas: 1 },
  ],
  container: 'pytorch',
  port: { name: 'pytorchjob-port', number: 23_456 },
  defaultRestartPolicy: 'OnFailure',
  options,
  optionNames: ['nprocPerNode', 'elasticPolicy'],
  check: ({ roles, options }) => checkElastic(roles, options as Options),
  completeOptions,
  minMember,
  masterRole: (roles) => (findRole(roles, 'Master') ? 'Master' : 'Worker'),
  successRoles: (roles) => (findRole(roles, 'Master') ? ['Master'] : ['Worker']),
  messages: ({ name, namespace, roles }) =>
    findRole(roles, 'Master')
      ? {
          running: `PyTorchJob ${name} is running.`,
          succeeded: `PyTorchJob ${name} is successfully completed.`,
        }
      : {
          running: `PyTorchJob ${namespace}/${name} is running.`,
          succeeded: `PyTorchJob ${namespace}/${name} successfully completed.`,
        },
  environment: (job, role, index) => [
    { name: 'PYTHONUNBUFFERED', value: '1' },
    ...masterVariables(job, role, index),
    ...launcherVariables(job),
  ],
};

function checkElastic(roles: readonly Role[], { nprocPerNode, elasticPolicy }: Options): Fault[] {
  if (!elasticPolicy) return [];
  const path = 'spec.elasticPolicy';
  const worker = findRole(roles, 'Worker');
  if (!worker) {
    return [
      { path: 'spec.pytorchReplicaSpecs.Worker', expected: 'to be given with elasticPolicy', got: 'nothing' },
    ];
  }
  const faults: Fault[] = [];
  if (nprocPerNode && elasticPolicy.nProcPerNode) {
    faults.push({
      path: `${path}.nProcPerNode`,
      expected: 'to be absent where spec.nprocPerNode is given',
      got: String(elasticPolicy.nProcPerNode),
    });
  }
  const [low, replicas, high] = elasticSizes(worker, elasticPolicy);
  if (!(low <= replicas && replicas <= high)) {
    faults.push({
      path,
      expected: 'minReplicas <= Worker.replicas <= maxReplicas, where a bound left out equals the other one',
      got: `${low}, ${replicas}, ${high}`,
    });
  }
  return faults;
}

/** With one bound given, the other is the same (upstream's default); with none, both are the number of workers. */
function elasticSizes(worker: Role, { minReplicas, maxReplicas }: NonNullable<Options['elasticPolicy']>) {
  return [
    minReplicas ?? maxReplicas ?? worker.replicas,
    worker.replicas,
    maxReplicas ?? minReplicas ?? worker.replicas,
  ] as const;
}

function completeOptions({ roles, options: given }: Draft): Options {
  const { nprocPerNode, elasticPolicy } = given as Options;
  if (!elasticPolicy) return { nprocPerNode: nprocPerNode ?? 'auto' };
  const [minReplicas, , maxReplicas] = elasticSizes(findRole(roles, 'Worker')!, elasticPolicy);
  return {
    nprocPerNode: nprocPerNode ?? (elasticPolicy.nProcPerNode ? undefined : 'auto'),
    elasticPolicy: { ...elasticPolicy, minReplicas, maxReplicas },
  };
}

/** An elastic job can start with its fewest workers. */
function minMember({ roles, options: completed }: Draft): number {
  const { elasticPolicy } = completed as Options;
  const workers = findRole(roles, 'Worker')?.replicas ?? 0;
  return totalReplicas(roles) - workers + (elasticPolicy?.minReplicas ?? workers);
}

/** Only jobs with a Master get ranks: torchrun finds its own otherwise. */
function masterVariables(job: TrainingJob, role: Role, index: number): EnvVar[] {
  const master = findRole(job.roles, 'Master');
  if (!master) return [];
  const { nprocPerNode } = job.options as Options;
  const processes = /^\d+$/.test(nprocPerNode ?? '') ? Number(nprocPerNode) : 1;
  const port = String(rendezvousPort(master, pytorch));
  const address = podNameOf(job.name, 'Master', 0);
  const rank = String(role.name === 'Master' ? index : index + 1);
  return variables({
    MASTER_PORT: port,
    PET_MASTER_PORT: port,
    MASTER_ADDR: address,
    PET_MASTER_ADDR: address,
    WORLD_SIZE: String(totalReplicas(job.roles) * processes),
    RANK: rank,
    PET_NODE_RANK: rank,
  });
}

/** What torchrun reads (PET_*). */
function launcherVariables(job: TrainingJob): EnvVar[] {
  const { nprocPerNode, elasticPolicy: elastic } = job.options as Options;
  if (!elastic) {
    return variables({ PET_NPROC_PER_NODE: nprocPerNode, PET_NNODES: String(totalReplicas(job.roles)) });
  }
  const port = elastic.rdzvPort ?? rendezvousPort(findRole(job.roles, 'Worker')!, pytorch);
  return variables({
    PET_NPROC_PER_NODE: nprocPerNode ?? elastic.nProcPerNode?.toString(),
    PET_RDZV_ENDPOINT: `${elastic.rdzvHost ?? podNameOf(job.name, 'Worker', 0)}:${port}`,
    PET_RDZV_BACKEND: elastic.rdzvBackend ?? 'c10d',
    PET_NNODES: `${elastic.minReplicas}:${elastic.maxReplicas}`,
    PET_MAX_RESTARTS: elastic.maxRestarts?.toString(),
    PET_RDZV_ID: elastic.rdzvId,
    PET_RDZV_CONF: elastic.rdzvConf?.length
      ? elastic.rdzvConf.map(({ key, value }) => `${key}=${value}`).join(',')
      : undefined,
    PET_STANDALONE: elastic.standalone ? '' : undefined,
  });
}

function variables(values: Readonly<Record<string, string | undefined>>): EnvVar[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}
