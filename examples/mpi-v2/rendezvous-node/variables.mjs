// What a launcher of an MPIJob v2beta1 is told, by the implementation of MPI.
const HOSTFILE = '/etc/mpi/hostfile';
const SSH_ARGS = '-o ConnectionAttempts=10'; // the sshd of a worker may still have to start

export const IMPLEMENTATIONS = {
  OpenMPI: {
    hostLine: (host, slots) => `${host} slots=${slots}\n`,
    variables: (slots) => ({
      OMPI_MCA_orte_keep_fqdn_hostnames: 'true',
      OMPI_MCA_orte_default_hostfile: HOSTFILE,
      OMPI_MCA_plm_rsh_args: SSH_ARGS,
      OMPI_MCA_orte_set_default_slots: String(slots),
    }),
  },
  Intel: {
    hostLine: (host, slots) => `${host}:${slots}\n`,
    variables: (slots) => ({
      I_MPI_HYDRA_HOST_FILE: HOSTFILE,
      I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS: SSH_ARGS,
      I_MPI_PERHOST: String(slots),
    }),
  },
  MPICH: {
    hostLine: (host, slots) => `${host}:${slots}\n`,
    variables: () => ({ HYDRA_HOST_FILE: HOSTFILE, HYDRA_LAUNCH_EXTRA_ARGS: SSH_ARGS }),
  },
};

/** Those of the others must not be set. */
export function variablesOf(implementation, slots) {
  const all = Object.values(IMPLEMENTATIONS).flatMap(({ variables }) => Object.keys(variables(slots)));
  return {
    ...Object.fromEntries(all.map((name) => [name, undefined])),
    ...IMPLEMENTATIONS[implementation].variables(slots),
  };
}
