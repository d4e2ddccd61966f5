import { eachContainer, hostsOf, plugin, taskNamed, withPort } from './plugin.ts';

/** The hosts of the workers, for mpiexec on the master. */
export const mpiPlugin = plugin({
  defaults: { master: 'master', worker: 'worker', port: 22 },
  with: ['svc', 'ssh'],
  environment: (job, { role }, args) => {
    const workers = taskNamed(job, args.worker);
    if (role.name !== args.master || !workers) return [];
    return [{ name: 'MPI_HOST', value: hostsOf(job, workers).join(',') }];
  },
  isForInit: true,
  shape: (spec, _, { port }) =>
    eachContainer(spec, (container) => withPort(container, { name: 'mpijob-port', containerPort: port })),
});
