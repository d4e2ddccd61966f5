// Checks the variables that a PaddleJob of kubeflow.org injects, then meets the other pods at PADDLE_MASTER, as
// paddle.distributed.launch does. With a Master the job has parameter servers; without one workers train among themselves.
import { checkVariables } from '../../lib/check.mjs';
import { meetAt } from '../../lib/meet.mjs';
import { podNames, readArguments, readPod, run } from '../../lib/program.mjs';

const PORT = 36543;

await run(async () => {
  const { name, address, job, role } = readPod();
  const { master, worker } = readArguments({ master: 0, worker: 3 });
  const hasServers = master > 0;
  const center = hasServers ? `${job}-master-0` : `${job}-worker-0`;
  const isCenter = name === center;
  checkVariables({
    PYTHONUNBUFFERED: '1',
    PADDLE_JOB_ID: job,
    PADDLE_NNODES: String(master + worker),
    // The one that all others call goes by its own address.
    POD_IP_DUMMY: isCenter ? address : undefined,
    PADDLE_MASTER: `${isCenter ? address : center}:${PORT}`,
    PADDLE_SERVER_NUM: role === 'master' ? '1' : undefined,
    PADDLE_TRAINER_NUM: hasServers && role === 'worker' ? '1' : undefined,
  });
  const [host, port] = process.env.PADDLE_MASTER.split(':');
  const names = [...podNames(job, 'master', master), ...podNames(job, 'worker', worker)];
  await meetAt({ name: center, host, port: Number(port) }, { name, host: address }, names);
});
