// Checks the TF_CONFIG that a TFJob injects, then meets all tasks of the cluster at the addresses in it.
import { checkVariables } from '../../lib/check.mjs';
import { meetAll } from '../../lib/meet.mjs';
import { podNames, readArguments, readPod, run } from '../../lib/program.mjs';

const PORT = 2222;

await run(async () => {
  const pod = readPod();
  const replicas = readArguments({ chief: 1, ps: 1, worker: 2, evaluator: 1 });
  checkVariables({ TF_CONFIG: tfConfig(pod, replicas) });
  const { cluster } = JSON.parse(process.env.TF_CONFIG);
  // An evaluator only reads checkpoints: it knows the cluster, and the cluster does not know it.
  if (pod.role === 'evaluator') return;
  const tasks = Object.entries(cluster).flatMap(([type, addresses]) =>
    addresses.map((address, index) => ({ name: `${pod.job}-${type}-${index}`, ...hostAndPort(address) })),
  );
  await meetAll({ name: pod.name, host: pod.address }, tasks);
});

/** Types of tasks in alphabetical order, all addresses by Service, no spaces. */
function tfConfig({ job, namespace, role, index }, { chief, ps, worker, evaluator }) {
  const addresses = (type, count) =>
    podNames(job, type, count).map((name) => `${name}.${namespace}.svc:${PORT}`);
  const cluster = {
    chief: addresses('chief', chief),
    ...(role === 'evaluator' ? { evaluator: addresses('evaluator', evaluator) } : {}),
    ps: addresses('ps', ps),
    worker: addresses('worker', worker),
  };
  return JSON.stringify({ cluster, task: { type: role, index }, environment: 'cloud' });
}

function hostAndPort(address) {
  const [host, port] = address.split(':');
  return { host, port: Number(port) };
}
