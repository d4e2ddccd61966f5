// Checks the variables that an XGBoostJob injects, then meets all pods at the addresses in them.
import { checkVariables } from '../../lib/check.mjs';
import { meetAll } from '../../lib/meet.mjs';
import { podNames, readArguments, readPod, run, sum } from '../../lib/program.mjs';

// The manifest says so; without its ports both are 9999.
const PORTS = { master: 9991, worker: 9992 };

await run(async () => {
  const { name, address, job, role, index } = readPod();
  const replicas = readArguments({ master: 1, worker: 2 });
  checkVariables({
    PYTHONUNBUFFERED: '1',
    MASTER_ADDR: `${job}-master-0`,
    MASTER_PORT: String(PORTS.master),
    WORKER_ADDRS: podNames(job, 'worker', replicas.worker).join(','),
    WORKER_PORT: String(PORTS.worker),
    WORLD_SIZE: String(sum(Object.values(replicas))),
    RANK: String(role === 'master' ? index : replicas.master + index),
  });
  const { MASTER_ADDR, MASTER_PORT, WORKER_ADDRS, WORKER_PORT } = process.env;
  const workers = WORKER_ADDRS.split(',').map((host) => ({ name: host, host, port: Number(WORKER_PORT) }));
  await meetAll({ name, host: address }, [
    { name: MASTER_ADDR, host: MASTER_ADDR, port: Number(MASTER_PORT) },
    ...workers,
  ]);
});
