// Checks the variables that a JAXJob injects, then meets the other processes at the coordinator, as jax does.
import { checkVariables } from '../../lib/check.mjs';
import { meetAt } from '../../lib/meet.mjs';
import { podNames, readArguments, readPod, run } from '../../lib/program.mjs';

const PORT = '6666';

await run(async () => {
  const { name, address, job, index } = readPod();
  const { worker } = readArguments({ worker: 3 });
  const coordinator = `${job}-worker-0`;
  checkVariables({
    PYTHONUNBUFFERED: '1',
    COORDINATOR_ADDRESS: coordinator,
    COORDINATOR_PORT: PORT,
    NUM_PROCESSES: String(worker),
    PROCESS_ID: String(index),
    // Not of training-operator: the names under which jax.distributed.initialize() looks by itself.
    JAX_COORDINATOR_ADDRESS: `${coordinator}:${PORT}`,
    JAX_COORDINATOR_PORT: PORT,
    JAX_NUM_PROCESSES: String(worker),
    JAX_PROCESS_ID: String(index),
  });
  const { COORDINATOR_ADDRESS: host, COORDINATOR_PORT: port } = process.env;
  const center = { name: coordinator, host, port: Number(port) };
  await meetAt(center, { name, host: address }, podNames(job, 'worker', worker));
});
