import { z } from 'zod';
import type { EnvVar } from '../../contracts/kubernetes.ts';
import { podNameOf } from '../../contracts/labels.ts';
import { findRole, totalReplicas } from '../../contracts/roles.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { TRAINING_OPERATOR_DIALECT } from '../dialects/kubeflow-dialect.ts';
import { type Framework, type Replica, variables } from '../model/framework.ts';
import { rendezvousPort } from '../model/main-container.ts';
import { qualifiedMessagesOf, restartingOf } from './messages.ts';

/** JAXJob, kubeflow.org/v1, as training-operator v1.9 runs it. */
export const jax = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'JAXJob',
  dialect: TRAINING_OPERATOR_DIALECT,
  operatorName: 'jaxjob-controller',
  replicaSpecs: 'jaxReplicaSpecs',
  roles: [{ name: 'Worker', required: true, minReplicas: 1, defaultRestartPolicy: 'Never' }],
  container: 'jax',
  port: { name: 'jaxjob-port', number: 6666 },
  options: z.object({}),
  masterRole: () => 'Worker',
  plan: ({ name, namespace }) => ({
    showsSelector: true,
    successRoles: ['Worker'],
    messages: {
      ...qualifiedMessagesOf('JAXJob', `${namespace}/${name}`),
      ...restartingOf('JAXJob', name, { whileActive: true }),
    },
  }),
  meeting: () => ['COORDINATOR_PORT', 'JAX_COORDINATOR_PORT', 'JAX_COORDINATOR_ADDRESS'],
  environment,
} as const satisfies Framework;

function environment(job: TrainingJob, { index, meeting }: Replica): EnvVar[] {
  const port = String(rendezvousPort(findRole(job.roles, 'Worker')!, jax, { meeting }));
  const coordinator = podNameOf(job.name, 'Worker', 0);
  const processes = String(totalReplicas(job.roles));
  return variables({
    PYTHONUNBUFFERED: '1',
    COORDINATOR_PORT: port,
    COORDINATOR_ADDRESS: coordinator,
    NUM_PROCESSES: processes,
    PROCESS_ID: String(index),
    JAX_COORDINATOR_PORT: port,
    // jax.distributed.initialize() reads this variable by itself and expects the port in it.
    JAX_COORDINATOR_ADDRESS: `${coordinator}:${port}`,
    JAX_NUM_PROCESSES: processes,
    JAX_PROCESS_ID: String(index),
  });
}
