// A worker: checks that it was given what a worker needs and no more, then runs what the launcher asks for, as a kubelet
// does for `kubectl exec`. It never ends by itself: the job ends with its launcher.
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { openChannel } from '../../lib/channel.mjs';
import { check, checkVariables } from '../../lib/check.mjs';
import { readModes } from '../../lib/files.mjs';
import { readPod, run } from '../../lib/program.mjs';
import { serve } from '../../lib/remote-command.mjs';
import { socketOf } from './sockets.mjs';

await run(async () => {
  const { name } = readPod();
  checkVariables({
    OMPI_MCA_plm_rsh_agent: undefined,
    OMPI_MCA_orte_default_hostfile: undefined,
    I_MPI_HYDRA_BOOTSTRAP: undefined,
  });
  check('files in /etc/mpi', { 'kubexec.sh': '555' }, readModes('/etc/mpi'));
  const path = socketOf(process.env, name);
  rmSync(path, { force: true }); // of a run before
  process.umask(0o077); // others must not have commands run here
  createServer((socket) => serve(openChannel(socket))).listen(path);
  process.on('exit', () => rmSync(path, { force: true }));
});
