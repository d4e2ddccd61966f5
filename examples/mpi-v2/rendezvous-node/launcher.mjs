// The launcher: checks the variables and files that an MPIJob v2beta1 gives it, then runs a command on each host of the
// hostfile as MPI does, through ssh; there, the ranks meet.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { check, checkVariables } from '../../lib/check.mjs';
import { untilDiscovered } from '../../lib/discovered-hosts.mjs';
import { readFiles, readModes } from '../../lib/files.mjs';
import { podNames, readArguments, readPod, run } from '../../lib/program.mjs';
import { checkKeys, checkNames, hostOf } from './checks.mjs';
import { IMPLEMENTATIONS, variablesOf } from './variables.mjs';

const FOLDER = '/etc/mpi';
const SSH = fileURLToPath(new URL('ssh.mjs', import.meta.url));
const RANK = 'node examples/lib/rank.mjs';
const runFile = promisify(execFile);

await run(async () => {
  const pod = readPod();
  const options = readArguments({ worker: 2, slots: 1, implementation: 'OpenMPI', computes: 'no' });
  const { worker, slots, implementation } = options;
  const computes = options.computes === 'yes'; // spec.runLauncherAsWorker
  const empty = computes ? undefined : ''; // a launcher that only starts others needs no GPU
  checkVariables({
    K_MPI_JOB_ROLE: 'launcher',
    ...variablesOf(implementation, slots),
    NVIDIA_VISIBLE_DEVICES: empty,
    NVIDIA_DRIVER_CAPABILITIES: empty,
  });
  checkKeys(process.env.SSH_FOLDER);
  await checkNames(pod, [hostOf(pod, pod.name)]);
  const ranks = [...(computes ? [pod.name] : []), ...podNames(pod.job, 'worker', worker)];
  checkHostfile(ranks, { pod, implementation, slots });
  await untilDiscovered(ranks.map((name) => hostOf(pod, name)));
  await letThemMeet(pod, ranks);
});

function checkHostfile(ranks, { pod, implementation, slots }) {
  check(`permissions in ${FOLDER}`, { 'discover_hosts.sh': '555', hostfile: '444' }, readModes(FOLDER));
  const { hostLine } = IMPLEMENTATIONS[implementation];
  const expected = ranks.map((name) => hostLine(hostOf(pod, name), slots)).join('');
  check('contents', { hostfile: expected }, { hostfile: readFiles(FOLDER).hostfile });
}

async function letThemMeet(pod, ranks) {
  const arguments_ = ranks.map((name) => `${name}=${hostOf(pod, name)}`).join(' ');
  await Promise.all(
    ranks.map(async (name) => {
      const { stdout } = await runOn(pod, name, `echo "$OWN_NAME"; ${RANK} ${arguments_}`);
      const [who, ...words] = stdout.split('\n');
      check('reached', { [hostOf(pod, name)]: name }, { [hostOf(pod, name)]: who });
      console.log(`${who} ${words.join(' ')}`);
    }),
  );
}

/** MPI runs what is for its own host without ssh. */
function runOn(pod, name, command) {
  if (name === pod.name) return runFile('/bin/sh', ['-c', command]);
  return runFile(SSH, ['-o', 'ConnectionAttempts=10', hostOf(pod, name), command]);
}
