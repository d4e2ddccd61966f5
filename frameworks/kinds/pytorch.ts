import { z } from 'zod';
import type { EnvVar } from '../../contracts/kubernetes.ts';
import { podNameOf } from '../../contracts/labels.ts';
import { findRole, totalReplicas } from '../../contracts/roles.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';
import { TRAINING_OPERATOR_DIALECT } from '../dialects/kubeflow-dialect.ts';
import {
  type Draft,
  type Framework,
  type JobWith,
  ofAttempt,
  type Replica,
  variables,
} from '../model/framework.ts';
import { rendezvousPort } from '../model/main-container.ts';
import { warnedField } from '../model/manifest-warning.ts';
import {
  checkElastic,
  completeElastic,
  ELASTIC_WARNINGS,
  elasticMinMember,
  elasticPolicy,
  elasticRoles,
} from './elastic-policy.ts';
import { withMasterWait } from './master-wait.ts';
import { messagesOf, qualifiedMessagesOf, restartingOf } from './messages.ts';

/** Values that torchrun accepts: a device type whose devices torch counts by itself, or a number. */
const PROCESS_COUNT = /^(auto|cpu|gpu|xpu|npu|hpu|mtia|[1-9]\d*)$/;
const PROCESSES = { error: 'auto, cpu, gpu, xpu, npu, hpu, mtia, or a number >= 1' };
const processCount = z
  .union([z.string(), z.int()], PROCESSES)
  .transform(String)
  .refine((text) => PROCESS_COUNT.test(text), PROCESSES)
  .meta({
    anyOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', pattern: PROCESS_COUNT.source },
    ],
  });

const rdzvSetting = z
  .looseObject({
    key: z.string().describe('Name of the setting.'),
    value: z.string().describe('Value of the setting.'),
  })
  .meta({ id: 'RendezvousSetting', description: 'A setting of the rendezvous backend.' });

const torchElasticPolicy = elasticPolicy
  .extend({
    rdzvBackend: z.string().min(1).optional().describe('Rendezvous backend of torchrun; default: c10d.'),
    rdzvPort: z.int().min(1).max(65_535).optional().describe('Port of the rendezvous.'),
    rdzvHost: z.string().min(1).optional().describe('Host of the rendezvous; default: the first worker.'),
    rdzvId: z.string().optional().describe('Id of the rendezvous.'),
    rdzvConf: z.array(rdzvSetting).optional().describe('Settings of the rendezvous backend.'),
    standalone: z.boolean().optional().describe('Each pod meets only itself.'),
    nProcPerNode: z.int().min(1).optional().describe('Deprecated; use spec.nprocPerNode.'),
  })
  .meta({ id: 'PyTorchElasticPolicy', description: 'Lets the number of workers change while the job runs.' });

type TorchElasticPolicy = z.infer<typeof torchElasticPolicy>;

const options = z.object({
  nprocPerNode: processCount
    .optional()
    .describe('Processes that torchrun starts in each pod: auto (default), cpu, gpu, or a number.'),
  elasticPolicy: torchElasticPolicy.optional().describe('Lets the number of workers change while it runs.'),
});
type Options = z.infer<typeof options>;

const REPLICA_SPECS = 'pytorchReplicaSpecs';

const processesOfPolicy = warnedField(
  'elasticPolicy.nProcPerNode',
  'spec.elasticPolicy.nProcPerNode: deprecated; use spec.nprocPerNode',
);

/** PyTorchJob, kubeflow.org/v1, as training-operator v1.9 runs it. */
export const pytorch = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  dialect: TRAINING_OPERATOR_DIALECT,
  operatorName: 'pytorchjob-controller',
  replicaSpecs: REPLICA_SPECS,
  roles: [
    { name: 'Master', minReplicas: 1, maxReplicas: 1, defaultRestartPolicy: 'OnFailure' },
    { name: 'Worker', minReplicas: 1, defaultRestartPolicy: 'OnFailure' },
  ],
  container: 'pytorch',
  port: { name: 'pytorchjob-port', number: 23_456 },
  options,
  check: ({ roles, options }) => [
    ...checkProcesses(options),
    ...checkElastic(REPLICA_SPECS, roles, options.elasticPolicy),
  ],
  complete: (draft) => ({ options: completeOptions(draft) }),
  warnings: [...ELASTIC_WARNINGS, processesOfPolicy],
  minMember: ({ roles, options }) => elasticMinMember(roles, options.elasticPolicy),
  masterRole: (roles) => (findRole(roles, 'Master') ? 'Master' : 'Worker'),
  plan: ({ name, namespace, roles, options }) => ({
    showsSelector: true,
    roles: elasticRoles(options.elasticPolicy),
    successRoles: [findRole(roles, 'Master') ? 'Master' : 'Worker'],
    messages: {
      ...(findRole(roles, 'Master')
        ? messagesOf('PyTorchJob', name)
        : qualifiedMessagesOf('PyTorchJob', `${namespace}/${name}`)),
      ...restartingOf('PyTorchJob', name, { whileActive: true }),
    },
  }),
  // Without a Master the manifest says where its ranks meet.
  meeting: ({ roles, options: { elasticPolicy } }) => {
    if (elasticPolicy) return 'elastic';
    return findRole(roles, 'Master') ? ['MASTER_PORT', 'PET_MASTER_PORT', 'PET_RDZV_ENDPOINT'] : 'ownAddress';
  },
  environment: (job, replica) => [
    { name: 'PYTHONUNBUFFERED', value: '1' },
    ...masterVariables(job, replica),
    ...launcherVariables(job, replica),
  ],
  shapePod: withMasterWait,
} as const satisfies Framework<Options>;

function checkProcesses({ nprocPerNode, elasticPolicy }: Options): Fault[] {
  if (!nprocPerNode || !elasticPolicy?.nProcPerNode) return [];
  return [
    {
      path: 'spec.elasticPolicy.nProcPerNode',
      expected: 'no value when spec.nprocPerNode is set',
      got: String(elasticPolicy.nProcPerNode),
    },
  ];
}

function completeOptions({ roles, options: { nprocPerNode, elasticPolicy } }: Draft<Options>): Options {
  return {
    nprocPerNode: nprocPerNode ?? (elasticPolicy?.nProcPerNode ? undefined : 'auto'),
    ...(elasticPolicy ? { elasticPolicy: completeElastic(roles, elasticPolicy) } : {}),
  };
}

/** Only jobs with a Master get ranks; without one, torchrun assigns them. */
function masterVariables(job: JobWith<Options>, { role, index, meeting }: Replica): EnvVar[] {
  const master = findRole(job.roles, 'Master');
  if (!master) return [];
  const { nprocPerNode } = job.options;
  const processes = /^\d+$/.test(nprocPerNode ?? '') ? Number(nprocPerNode) : 1;
  const port = String(rendezvousPort(master, pytorch, { meeting }));
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

/** Variables that torchrun reads (PET_*). */
function launcherVariables(job: JobWith<Options>, replica: Replica): EnvVar[] {
  const { nprocPerNode, elasticPolicy: elastic } = job.options;
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
    PET_RDZV_ID: rendezvousId(job, elastic, replica),
    PET_RDZV_CONF: elastic.rdzvConf?.length
      ? elastic.rdzvConf.map(({ key, value }) => `${key}=${value}`).join(',')
      : undefined,
    PET_STANDALONE: elastic.standalone ? '' : undefined,
  });
}

/** State in etcd outlives an attempt, so each attempt needs its own id; other rendezvous end with their pod. */
function rendezvousId(
  { namespace, name }: TrainingJob,
  { rdzvId, rdzvBackend }: TorchElasticPolicy,
  replica: Replica,
): string | undefined {
  const isFresh = (replica.attempt ?? 1) === 1 || !rdzvBackend?.startsWith('etcd');
  return isFresh ? rdzvId : ofAttempt(rdzvId ?? `${namespace}-${name}`, replica);
}
