// Checks the variables that a PaddleJob of batch.paddlepaddle.org injects: those of the pod itself, and those of the job,
// which come out of a ConfigMap. Then meets all pods at the addresses in them.
import { checkVariables } from '../../lib/check.mjs';
import { meetAll } from '../../lib/meet.mjs';
import { readArguments, readPod, run } from '../../lib/program.mjs';

const PORT = 2379;
const PORTS = 20; // of each pod, from the first one on
const TRAINING_ROLES = { ps: 'PSERVER', worker: 'TRAINER', heter: 'HETER' };
const LISTS = {
  ps: 'PADDLE_PSERVERS_IP_PORT_LIST',
  worker: 'PADDLE_TRAINER_ENDPOINTS',
  heter: 'PADDLE_HETER_ENDPOINTS',
};
const IPV4 = /^\d+(\.\d+){3}$/;

await run(async () => {
  const pod = readPod();
  const { intranet, gloo, ...replicas } = readArguments({
    intranet: 'PodIP',
    gloo: 0,
    ps: 0,
    worker: 2,
    heter: 0,
  });
  const byName = intranet === 'Service';
  const hosts = Object.fromEntries(
    Object.entries(replicas).map(([role, count]) => [role, readHosts(pod, { role, count, byName })]),
  );
  const { job, role, index, name, address } = pod;
  checkVariables({
    POD_IP: byName ? name : address,
    PADDLE_TRAINER_ID: String(index),
    TRAINING_ROLE: TRAINING_ROLES[role],
    PADDLE_TRAINING_ROLE: TRAINING_ROLES[role],
    TRAINER_PORTS_NUM: String(PORTS),
    PADDLE_PORT: String(PORT),
    PADDLE_TRAINERS: hosts.worker.join(','),
    PADDLE_TRAINERS_NUM: String(replicas.worker),
    ...Object.fromEntries(Object.entries(LISTS).map(([of, list]) => [list, endpoints(hosts[of])])),
    PADDLE_WITH_GLOO: gloo ? String(gloo) : undefined,
    PADDLE_GLOO_RENDEZVOUS: gloo ? '3' : undefined,
    PADDLE_GLOO_HTTP_ENDPOINT: gloo ? `${hosts.ps[0]}:${PORT + PORTS - 2}` : undefined,
  });
  const pods = Object.entries(hosts).flatMap(([of, list]) =>
    list.map((host, i) => ({ name: `${job}-${of}-${i}`, host, port: PORT })),
  );
  await meetAll({ name, host: address }, pods);
});

function endpoints(hosts) {
  return hosts.map((host) => `${host}:${PORT}`).join(',') || undefined;
}

/**
 * Names are known in advance. Addresses are not: they are taken from the list, where each must be one, and one's own at
 * its place; whether the others are at theirs shows when one meets them.
 */
function readHosts({ job, role: ownRole, index, address }, { role, count, byName }) {
  if (byName) return Array.from({ length: count }, (_, i) => `${job}-${role}-${i}`);
  const entries = process.env[LISTS[role]]?.split(',') ?? [];
  return Array.from({ length: count }, (_, i) => {
    if (role === ownRole && i === index) return address;
    const [host] = entries[i]?.split(':') ?? [];
    return IPV4.test(host) ? host : `an address (${i + 1} of ${count})`;
  });
}
