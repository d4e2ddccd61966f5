import { totalReplicas } from '../../../../contracts/roles.ts';
import { hostsOf, plugin, taskNamed } from './plugin.ts';

/** In the order in which TF_CONFIG lists them. */
const TYPES = ['ps', 'worker', 'chief', 'evaluator'] as const;

/** TF_CONFIG: the addresses of all tasks, and which of them a pod is. */
export const tensorflowPlugin = plugin({
  defaults: { ps: 'ps', worker: 'worker', chief: 'chief', evaluator: 'evaluator', port: 2222 },
  with: ['svc'],
  environment: (job, { role, index }, args) => {
    const type = TYPES.find((one) => args[one] === role.name);
    if (type === undefined || totalReplicas(job.roles) === 1) return [];
    const lists = TYPES.map((one) => {
      const task = taskNamed(job, args[one]);
      return [one, task ? hostsOf(job, task).map((host) => `${host}:${args.port}`) : []] as const;
    });
    const cluster = Object.fromEntries(lists.filter(([, hosts]) => hosts.length > 0));
    return [{ name: 'TF_CONFIG', value: JSON.stringify({ cluster, task: { type, index } }) }];
  },
});
