// A worker: checks that it was given what a worker needs and no more, then runs what the launcher asks for, in place of
// sshd. It never ends by itself: the job ends with its launcher.
import { checkVariables } from '../../lib/check.mjs';
import { readPod, run } from '../../lib/program.mjs';
import { checkKeys, checkNames, hostOf } from './checks.mjs';
import { listen } from './sshd.mjs';

await run(async () => {
  const pod = readPod();
  checkVariables({
    K_MPI_JOB_ROLE: 'worker',
    OMPI_MCA_orte_default_hostfile: undefined,
    I_MPI_HYDRA_HOST_FILE: undefined,
    HYDRA_HOST_FILE: undefined,
    NVIDIA_VISIBLE_DEVICES: undefined,
  });
  checkKeys(process.env.SSH_FOLDER);
  await checkNames(pod, [hostOf(pod, pod.name), pod.name]);
  listen(pod.address, process.env.SSH_FOLDER);
});
