import { totalReplicas } from '../../../../contracts/roles.ts';
import { ownValue } from '../../../../language/fields.ts';
import { restrictedAs } from '../../../model/added-container.ts';
import { variables } from '../../../model/framework.ts';
import { eachContainer, hostsOf, plugin, taskNamed, withPort } from './plugin.ts';

/** The variables by which processes of PyTorch find the first one. */
export const pytorchPlugin = plugin({
  defaults: {
    master: 'master',
    worker: 'worker',
    port: 23_456,
    'wait-master-enabled': false,
    'wait-master-timeout': 300,
    'wait-master-image': 'busybox:1.36.1',
  },
  with: ['svc'],
  environment: (job, { role, index }, { master: ofMaster, worker, port }) => {
    const master = taskNamed(job, ofMaster);
    if (!master) return [];
    const ranks = { [ofMaster]: index, [worker]: master.replicas + index };
    return variables({
      MASTER_ADDR: hostsOf(job, master)[0],
      MASTER_PORT: `${port}`,
      WORLD_SIZE: `${totalReplicas(job.roles, [ofMaster, worker])}`,
      RANK: ownValue(ranks, role.name)?.toString(),
    });
  },
  shape: (spec, { job, replica: { role } }, args) => {
    const master = taskNamed(job, args.master);
    if (!master) return spec;
    const port = { name: 'pytorchjob-port', containerPort: args.port };
    const shaped = eachContainer(spec, (container) => withPort(container, port), { init: false });
    if (!args['wait-master-enabled'] || role.name !== args.worker) return shaped;
    const wait = restrictedAs(
      {
        name: 'wait-for-master',
        image: args['wait-master-image'],
        command: ['sh', '-c', waitLoop(hostsOf(job, master)[0]!, args.port, args['wait-master-timeout'])],
      },
      spec.containers[0]!,
    );
    return { ...shaped, initContainers: [...(shaped.initContainers ?? []), wait] };
  },
});

const waitLoop = (host: string, port: number, seconds: number) =>
  `for try in $(seq ${seconds}); do nc -z -w 1 ${host} ${port} && exit 0; echo waiting for ${host}; sleep 1; done; exit 1`;
