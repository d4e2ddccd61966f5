// Checks what the plugins env, svc, ssh and pytorch of a Volcano Job give its pods, then meets the others at the master.
import { readFileSync } from 'node:fs';
import { check, checkVariables } from '../../lib/check.mjs';
import { meetAt } from '../../lib/meet.mjs';
import { podNames, readArguments, readPod, run } from '../../lib/program.mjs';

const PORT = '23456';

await run(async () => {
  const { name, address, job, role, index } = readPod();
  const { worker } = readArguments({ worker: 2 });
  const pods = { master: podNames(job, 'master', 1), worker: podNames(job, 'worker', worker) };
  const hostsOf = (task) => pods[task].map((pod) => `${pod}.${job}`);
  checkVariables({
    VC_TASK_INDEX: String(index),
    VK_TASK_INDEX: String(index),
    VC_MASTER_HOSTS: hostsOf('master').join(','),
    VC_MASTER_NUM: '1',
    VC_WORKER_HOSTS: hostsOf('worker').join(','),
    VC_WORKER_NUM: String(worker),
    MASTER_ADDR: `${job}-master-0.${job}`,
    MASTER_PORT: PORT,
    WORLD_SIZE: String(1 + worker),
    RANK: String(role === 'master' ? 0 : 1 + index),
  });
  check(
    'lists',
    { 'master.host': hostsOf('master').join('\n'), 'worker.host': hostsOf('worker').join('\n') },
    filesOf('/etc/volcano', ['master.host', 'worker.host']),
  );
  checkKeys(hostsOf('master').concat(hostsOf('worker')));
  const { MASTER_ADDR: host, MASTER_PORT: port } = process.env;
  const center = { name: pods.master[0], host, port: Number(port) };
  await meetAt(center, { name, host: address }, [...pods.master, ...pods.worker]);
});

/** Of plugin ssh: a pair of keys, and a name for each pod. */
function checkKeys(hosts) {
  const files = filesOf('/root/.ssh', ['id_rsa', 'id_rsa.pub', 'authorized_keys', 'config']);
  const named = [...files.config.matchAll(/HostName (\S+)/g)].map(([, host]) => host);
  check(
    'keys',
    { private: true, authorized: files['id_rsa.pub'], hosts: hosts.join() },
    {
      private: files.id_rsa.startsWith('-----BEGIN '),
      authorized: files.authorized_keys,
      hosts: named.join(),
    },
  );
}

function filesOf(folder, names) {
  return Object.fromEntries(names.map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]));
}
