import type { Program } from '../program.ts';

/** Kubeflow's operator of MPIJobs of v2beta1, which a long test runs beside a sandbox. */
export const mpiOperator: Program = {
  name: 'mpi-operator',
  version: '0.6.0',
  parseVersion: () => undefined,
  release: () => undefined, // Kubeflow publishes images only
  build: {
    module: 'mpi-operator',
    package: 'github.com/kubeflow/mpi-operator/cmd/mpi-operator',
    ldflags: '',
    minutes: 1.5,
  },
};
