import type { EnvVar, KubeObject } from '../../../../contracts/kubernetes.ts';
import { hostsOf, labelsOfJob, type PluginJob, plugin, withVolume } from './plugin.ts';

/** Host names by one headless Service, lists of them, and no traffic from other pods. */
export const svc = plugin({
  defaults: { 'publish-not-ready-addresses': false, 'disable-network-policy': false },
  isForInit: true,
  environment: (job) => namesOf(job).map((key) => fromList(job, key)),
  shape: (spec, { job, replica: { role, index } }) => ({
    ...withVolume(
      spec,
      { name: listNameOf(job), configMap: { name: listNameOf(job), defaultMode: 0o644 } },
      { mountPath: '/etc/volcano' },
    ),
    hostname: spec.hostname ?? `${job.name}-${role.name}-${index}`,
    subdomain: spec.subdomain ?? job.name,
  }),
  objects: (job, args) => [
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: job.name } },
      spec: {
        clusterIP: 'None',
        selector: labelsOfJob(job),
        ...(args['publish-not-ready-addresses'] ? { publishNotReadyAddresses: true } : {}),
      },
    },
    listOf(job),
    ...(args['disable-network-policy'] ? [] : [networkPolicyOf(job)]),
  ],
});

const listNameOf = ({ name }: PluginJob) => `${name}-svc`;

const variableOf = (task: string) => `VC_${task.replaceAll('-', '_').toUpperCase()}`;

const namesOf = ({ roles }: PluginJob) =>
  roles.flatMap(({ name }) => [`${variableOf(name)}_HOSTS`, `${variableOf(name)}_NUM`]);

const fromList = (job: PluginJob, key: string): EnvVar => ({
  name: key,
  valueFrom: { configMapKeyRef: { name: listNameOf(job), key } },
});

function listOf(job: PluginJob): KubeObject {
  const entries = job.roles.flatMap((task) => {
    const hosts = hostsOf(job, task);
    return [
      [`${task.name.replaceAll('-', '_')}.host`, hosts.join('\n')],
      [`${variableOf(task.name)}_HOSTS`, hosts.join(',')],
      [`${variableOf(task.name)}_NUM`, `${task.replicas}`],
    ];
  });
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: listNameOf(job) },
    data: Object.fromEntries(entries),
  };
}

function networkPolicyOf(job: PluginJob): KubeObject {
  const podSelector = { matchLabels: labelsOfJob(job) };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: job.name },
    spec: { podSelector, ingress: [{ from: [{ podSelector }] }], policyTypes: ['Ingress'] },
  };
}
