// Checks what torchrun is told by a TrainJob, then meets the other nodes at the first one.
import { checkVariables } from '../../lib/check.mjs';
import { meetAt } from '../../lib/meet.mjs';
import { podNames, readArguments, readPod, run } from '../../lib/program.mjs';

const PORT = '29500';

await run(async () => {
  const { name, address, job, index } = readPod();
  const { nodes, processes } = readArguments({ nodes: 3, processes: 2 });
  checkVariables({
    PET_NNODES: String(nodes),
    PET_NPROC_PER_NODE: String(processes),
    PET_NODE_RANK: String(index),
    PET_MASTER_ADDR: `${job}-node-0-0.${job}`,
    PET_MASTER_PORT: PORT,
    JOB_COMPLETION_INDEX: String(index),
  });
  const pods = podNames(job, 'node', nodes);
  const { PET_MASTER_ADDR: host, PET_MASTER_PORT: port } = process.env;
  await meetAt({ name: pods[0], host, port: Number(port) }, { name, host: address }, pods);
});
