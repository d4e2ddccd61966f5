export interface Example {
  readonly path: string;
  /** A variable that the manifest sets itself, to what its kind would not. */
  readonly variable: { readonly role: string; readonly name: string; readonly value: string };
}

/** The examples that need nothing but Node. Each checks what its kind promises, and its pods meet. */
export const EXAMPLES: readonly Example[] = [
  { path: 'pytorch/rendezvous-node/job.yaml', variable: { role: 'Worker', name: 'RANK', value: '7' } },
  { path: 'tensorflow/rendezvous-node/job.yaml', variable: { role: 'PS', name: 'TF_CONFIG', value: '{}' } },
  {
    path: 'xgboost/rendezvous-node/job.yaml',
    variable: { role: 'Worker', name: 'WORKER_ADDRS', value: 'elsewhere' },
  },
  { path: 'jax/rendezvous-node/job.yaml', variable: { role: 'Worker', name: 'PROCESS_ID', value: '1' } },
  {
    path: 'paddle/rendezvous-node/job.yaml',
    variable: { role: 'Worker', name: 'PADDLE_MASTER', value: 'elsewhere:36543' },
  },
  {
    path: 'paddle/rendezvous-node/job-with-servers.yaml',
    variable: { role: 'Master', name: 'PADDLE_SERVER_NUM', value: '2' },
  },
  {
    path: 'paddle-operator/rendezvous-node/job.yaml',
    variable: { role: 'worker', name: 'PADDLE_TRAINERS', value: '127.0.0.1,127.0.0.1' },
  },
  {
    path: 'paddle-operator/rendezvous-node/job-service.yaml',
    variable: { role: 'worker', name: 'PADDLE_PORT', value: '2378' },
  },
  {
    path: 'mpi/rendezvous-node/job.yaml',
    variable: { role: 'Launcher', name: 'OMPI_MCA_plm_rsh_agent', value: 'ssh' },
  },
  {
    path: 'mpi-v2/rendezvous-node/job.yaml',
    variable: { role: 'Launcher', name: 'K_MPI_JOB_ROLE', value: 'worker' },
  },
  {
    path: 'mpi-v2/rendezvous-node/job-intel.yaml',
    variable: { role: 'Launcher', name: 'I_MPI_PERHOST', value: '3' },
  },
  {
    path: 'volcano/rendezvous-node/job.yaml',
    variable: { role: 'worker', name: 'VC_TASK_INDEX', value: '7' },
  },
  {
    path: 'train-job/rendezvous-node/job.yaml',
    variable: { role: 'node', name: 'JOB_COMPLETION_INDEX', value: '7' },
  },
];
