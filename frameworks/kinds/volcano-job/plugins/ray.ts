import { hostsOf, labelsOfJob, type PluginJob, plugin, taskNamed, withPort } from './plugin.ts';

const LONGEST_NAME = 63;

/** A Ray cluster: a head with its Service, and workers that join it. */
export const ray = plugin({
  defaults: {
    head: 'head',
    headContainer: 'head',
    worker: 'worker',
    workerContainer: 'worker',
    port: 6379,
    dashboardPort: 8265,
    clientPort: 10_001,
  },
  with: ['svc'],
  check: (job) => {
    const most = LONGEST_NAME - serviceNameOf({ name: '' }).length;
    if (job.name.length <= most) return [];
    const expected = `at most ${most} characters, because the Service of plugin ray adds ${serviceNameOf({ name: '' })}`;
    return [{ path: 'metadata.name', expected, got: `${job.name.length}` }];
  },
  shape: (spec, { job, replica: { role } }, args) => {
    const { head, worker, headContainer, workerContainer } = args;
    const change = (name: string, command: string, ports: ReturnType<typeof portsOf>) =>
      spec.containers.map((container) =>
        container.name === name
          ? ports.reduce(withPort, { ...container, command: ['sh', '-c', command], args: [] })
          : container,
      );
    if (role.name === head)
      return { ...spec, containers: change(headContainer, startHead(args), portsOf(args)) };
    const [address] = hostsOf(job, taskNamed(job, head) ?? role);
    if (role.name !== worker || !taskNamed(job, head)) return spec;
    const join = `ray start --block --address=${address}:${args.port}`;
    return { ...spec, containers: change(workerContainer, join, []) };
  },
  objects: (job, args) =>
    taskNamed(job, args.head)
      ? [
          {
            apiVersion: 'v1',
            kind: 'Service',
            metadata: { name: serviceNameOf(job) },
            spec: {
              selector: { ...labelsOfJob(job), 'volcano.sh/task-spec': args.head },
              ports: portsOf(args).map(({ name, containerPort }) => ({
                ...{ name, port: containerPort, targetPort: name },
              })),
            },
          },
        ]
      : [],
});

const serviceNameOf = ({ name }: Pick<PluginJob, 'name'>) => `${name}-head-svc`;

interface Ports {
  readonly port: number;
  readonly dashboardPort: number;
  readonly clientPort: number;
}

const portsOf = ({ port, dashboardPort, clientPort }: Ports) => [
  { name: 'gcs', containerPort: port },
  { name: 'dashboard', containerPort: dashboardPort },
  { name: 'client-server', containerPort: clientPort },
];

const startHead = ({ port, dashboardPort, clientPort }: Ports) =>
  `ray start --head --block --dashboard-host=0.0.0.0 --port=${port} --dashboard-port=${dashboardPort} --ray-client-server-port=${clientPort}`;
