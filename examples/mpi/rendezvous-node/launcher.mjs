// The launcher: checks the variables and files that an MPIJob v1 gives it, then runs a command in each worker as MPI
// does, through /etc/mpi/kubexec.sh; there, the workers meet.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { check, checkVariables } from '../../lib/check.mjs';
import { untilDiscovered } from '../../lib/discovered-hosts.mjs';
import { readFiles, readModes } from '../../lib/files.mjs';
import { podNames, readArguments, readPod, run } from '../../lib/program.mjs';

const FOLDER = '/etc/mpi';
const runFile = promisify(execFile);

await run(async () => {
  const { job } = readPod();
  const { worker, slots } = readArguments({ worker: 2, slots: 1 });
  const workers = podNames(job, 'worker', worker);
  checkVariables({
    OMPI_MCA_plm_rsh_agent: `${FOLDER}/kubexec.sh`,
    OMPI_MCA_orte_default_hostfile: `${FOLDER}/hostfile`,
    I_MPI_HYDRA_BOOTSTRAP: 'rsh',
    I_MPI_HYDRA_BOOTSTRAP_EXEC: `${FOLDER}/kubexec.sh`,
    // Empty: a launcher that only starts others needs no GPU.
    NVIDIA_VISIBLE_DEVICES: '',
    NVIDIA_DRIVER_CAPABILITIES: '',
  });
  const modes = { 'kubexec.sh': '555', 'discover_hosts.sh': '555', hostfile: '444' };
  check(`permissions in ${FOLDER}`, modes, readModes(FOLDER));
  const { hostfile, 'kubexec.sh': kubexec } = readFiles(FOLDER);
  check(`files in ${FOLDER}`, expectedFiles(workers, slots), { hostfile, 'kubexec.sh': kubexec });
  await untilDiscovered(workers.map((name) => `${name}:${slots}`));
  await letThemMeet(
    hostfile
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  );
});

function expectedFiles(workers, slots) {
  const kubexec = [
    '#!/bin/sh',
    'set -x',
    'POD_NAME=$1',
    'shift',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own.
    '/opt/kube/kubectl exec ${POD_NAME} -- /bin/sh -c "$*"',
  ];
  return {
    hostfile: workers.map((name) => `${name} slots=${slots}\n`).join(''),
    'kubexec.sh': kubexec.join('\n'),
  };
}

/** Each worker tells its address; then each is told all of them, as MPI's own daemons are. */
async function letThemMeet(hosts) {
  const inWorker = async (host, command) => (await runFile(`${FOLDER}/kubexec.sh`, [host, command])).stdout;
  const ranks = await Promise.all(
    hosts.map(async (host) => (await inWorker(host, 'echo "$OWN_NAME=$OWN_ADDRESS"')).trim()),
  );
  check('reached', Object.fromEntries(hosts.map((host) => [host, host])), namesOf(hosts, ranks));
  const words = await Promise.all(
    hosts.map((host) => inWorker(host, `node examples/lib/rank.mjs ${ranks.join(' ')}`)),
  );
  for (const [index, host] of hosts.entries()) process.stdout.write(`${host} ${words[index]}`);
}

/** Who answered where. */
function namesOf(hosts, ranks) {
  return Object.fromEntries(hosts.map((host, index) => [host, ranks[index].split('=')[0]]));
}
