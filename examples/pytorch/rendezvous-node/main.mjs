// Checks the variables that a PyTorchJob injects, then meets the other pods at the master, as torch does.
import { checkVariables } from '../../lib/check.mjs';
import { meetAt } from '../../lib/meet.mjs';
import { podNames, readArguments, readPod, run } from '../../lib/program.mjs';

const PORT = '23456';
const PROCESSES_PER_NODE = 2; // the manifest's nprocPerNode

await run(async () => {
  const { name, address, job, role, index } = readPod();
  const { master, worker } = readArguments({ master: 1, worker: 2 });
  const center = `${job}-master-0`;
  const nodes = master + worker;
  const rank = String(role === 'master' ? index : master + index);
  checkVariables({
    PYTHONUNBUFFERED: '1',
    MASTER_ADDR: center,
    MASTER_PORT: PORT,
    WORLD_SIZE: String(nodes * PROCESSES_PER_NODE),
    RANK: rank,
    // What torchrun reads in place of its arguments.
    PET_MASTER_ADDR: center,
    PET_MASTER_PORT: PORT,
    PET_NNODES: String(nodes),
    PET_NODE_RANK: rank,
    PET_NPROC_PER_NODE: String(PROCESSES_PER_NODE),
  });
  const { MASTER_ADDR: host, MASTER_PORT: port } = process.env;
  const names = [...podNames(job, 'master', master), ...podNames(job, 'worker', worker)];
  await meetAt({ name: center, host, port: Number(port) }, { name, host: address }, names);
});
