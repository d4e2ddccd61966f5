import { keysOf } from '../../../language/fields.ts';
import { HOSTFILE_PATH } from './launcher-environment.ts';

/** What differs between implementations of MPI. */
interface Implementation {
  /** Returns a line of the hostfile. */
  hostLine(host: string, slots: number): string;
  /** Returns the launcher's variables. */
  variables(slots: number): Readonly<Record<string, string>>;
}

/** The sshd of a worker may not be ready when the launcher connects. */
const SSH_ARGS = '-o ConnectionAttempts=10';

const colonLine = (host: string, slots: number) => `${host}:${slots}\n`;

export const IMPLEMENTATIONS = {
  OpenMPI: {
    hostLine: (host, slots) => `${host} slots=${slots}\n`,
    variables: (slots) => ({
      OMPI_MCA_orte_keep_fqdn_hostnames: 'true',
      OMPI_MCA_orte_default_hostfile: HOSTFILE_PATH,
      OMPI_MCA_plm_rsh_args: SSH_ARGS,
      OMPI_MCA_orte_set_default_slots: String(slots),
    }),
  },
  Intel: {
    hostLine: colonLine,
    variables: (slots) => ({
      I_MPI_HYDRA_HOST_FILE: HOSTFILE_PATH,
      I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS: SSH_ARGS,
      I_MPI_PERHOST: String(slots),
    }),
  },
  MPICH: {
    hostLine: colonLine,
    variables: () => ({ HYDRA_HOST_FILE: HOSTFILE_PATH, HYDRA_LAUNCH_EXTRA_ARGS: SSH_ARGS }),
  },
} as const satisfies Record<string, Implementation>;

export type ImplementationName = keyof typeof IMPLEMENTATIONS;

export const IMPLEMENTATION_NAMES = keysOf(IMPLEMENTATIONS);
