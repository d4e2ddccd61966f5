import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';
import type { BridgedStage } from '../scenarios/bridged-stage.ts';

/**
 * The local node runs no images. Admission policies give the containers of Kubeflow's tests, by their image, programs that do
 * the same with what this checkout has: processes find each other by what the kind of job injects, and train or meet.
 */

const BIN = fileURLToPath(new URL('kubeflow-bin', import.meta.url));

/** Who a pod is, from what Kubernetes knows. */
const OWN = { OWN_NAME: 'metadata.name', OWN_NAMESPACE: 'metadata.namespace', OWN_ADDRESS: 'status.podIP' };

interface StandIn {
  readonly image: string;
  /** Absent: what the container says. */
  readonly command?: readonly string[];
  /** Default: the first container. */
  readonly of?: 'containers' | 'initContainers';
  /** In lower case; default: of any role. */
  readonly role?: string;
  /** Fields of the pod by the name of the variable. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** A folder of this machine that all pods of a job share. */
  readonly shares?: string;
}

const example = (program: string, ...args: readonly string[]) => ['node', `examples/${program}`, ...args];

const MPI = { image: 'horovod/horovod:0.28.1', fields: OWN, shares: '/run/mpi-exec' };

const STAND_INS: readonly StandIn[] = [
  {
    image: 'kubeflow/pytorch-dist-mnist:latest',
    command: example('pytorch/ddp-node/train.mjs', '--steps=40'),
    fields: { POD_IP: 'status.podIP' },
  },
  // Where `torchrun` and `tune` are.
  ...[
    'docker.io/pytorch/pytorch:2.1.2-cuda11.8-cudnn8-runtime',
    'pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime',
  ].map((image) => ({ image, env: { PATH: `${BIN}:${process.env.PATH}` } })),
  { image: 'docker.io/hello-world', command: ['echo', 'Hello from Docker!'] },
  {
    image: 'gcr.io/kubeflow-ci/tf-mnist-with-summaries:1.0',
    command: example('pytorch/ddp-node/train.mjs', '--steps=40'),
  },
  {
    image: 'docker.io/kubeflow/xgboost-dist-iris:latest',
    command: example('lib/rank.mjs', '$(MASTER_ADDR)=$(MASTER_ADDR)', '$(WORKER_ADDRS)=$(WORKER_ADDRS)'),
    fields: OWN,
  },
  {
    ...MPI,
    role: 'launcher',
    command: example('mpi/rendezvous-node/launcher.mjs', '--worker=1', '--slots=1'),
  },
  { ...MPI, role: 'worker', command: example('mpi/rendezvous-node/worker.mjs') },
  {
    image: 'ghcr.io/kubeflow/training-v1/kubectl-delivery:latest',
    of: 'initContainers',
    command: ['sh', '-c', 'ln -s "$PWD/examples/mpi/rendezvous-node/kubectl.mjs" /opt/kube/kubectl'],
  },
  {
    image: 'docker.io/paddlepaddle/paddle:2.4.0rc0-cpu',
    command: example('paddle/rendezvous-node/main.mjs', '--worker=2'),
    fields: OWN,
  },
  {
    image: 'docker.io/kubeflow/jaxjob-dist-spmd-mnist:latest',
    command: example('jax/rendezvous-node/main.mjs', '--worker=2'),
    fields: OWN,
  },
];

/** Returns when the API server follows the policies. They end with the servers. */
export async function standInForImages({
  kubectl,
  stage: { namespace, sandbox },
}: Pick<BridgedStage, 'kubectl' | 'stage'>): Promise<void> {
  const shared = join(sandbox.dir, 'shared');
  const policies = STAND_INS.map((standIn, index) => policyOf(standIn, { name: `image-${index}`, shared }));
  await kubectl.apply(policies.flatMap((policy) => [policy, bindingOf(policy, namespace)]));
  for (const standIn of STAND_INS) {
    await eventually(`${standIn.image} has a stand-in`, async () => {
      const made = await kubectl.apply([podOf(standIn)], '--dry-run=server', '-o', 'yaml');
      if (!made.includes(standIn.command?.at(-1) ?? BIN)) throw new Error(made);
      return made;
    });
  }
}

function podOf({ image, of, role = 'worker' }: StandIn): object {
  const container = { name: 'main', image };
  const containers = [container];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'probe', labels: { [ROLE]: role } },
    spec: of ? { containers, initContainers: [{ ...container, name: 'init' }] } : { containers },
  };
}

const ROLE = 'training.kubeflow.org/replica-type';

interface Named {
  readonly metadata: { readonly name: string };
}

function policyOf(
  { image, command, of = 'containers', role, fields = {}, env = {}, shares }: StandIn,
  { name, shared }: { readonly name: string; readonly shared: string },
): Named {
  const at = `/spec/${of}/0`;
  const has = (field: string) => `has(object.spec.${of}[0].${field})`;
  const isImage = `has(object.spec.${of}) && object.spec.${of}[0].image == ${cel(image)}`;
  const isRole = `object.metadata.labels[${cel(ROLE)}] == ${cel(role ?? '')}`;
  const variables = [
    ...Object.entries(env).map(([variable, value]) => ({ name: variable, value })),
    ...Object.entries(fields).map(([variable, fieldPath]) => ({
      ...{ name: variable, valueFrom: { fieldRef: { fieldPath } } },
    })),
  ];
  const lists = [
    ...variables.map((value) => ({ place: `${at}/env`, is: has('env'), value })),
    ...(shares
      ? [
          {
            ...{ place: `${at}/volumeMounts`, is: has('volumeMounts') },
            value: { name: 'shared', mountPath: shares },
          },
          {
            ...{ place: '/spec/volumes', is: 'has(object.spec.volumes)' },
            value: { name: 'shared', hostPath: { path: shared, type: 'DirectoryOrCreate' } },
          },
        ]
      : []),
  ];
  const missing = new Map(lists.map(({ place, is }) => [place, is]));
  const patches = [
    ...(command
      ? [`[${patch(`${at}/command`, command)}]`, `(${has('args')} ? [${patch(`${at}/args`, [])}] : [])`]
      : []),
    ...[...missing].map(([place, is]) => `(${is} ? [] : [${patch(place, [])}])`),
    ...lists.map(({ place, value }) => `[${patch(`${place}/-`, value)}]`),
  ];
  return {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingAdmissionPolicy' },
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
        ],
      },
      matchConditions: [{ name: 'image', expression: role ? `${isImage} && ${isRole}` : isImage }],
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: patches.join(' + ') } }],
    },
  } as Named;
}

const bindingOf = ({ metadata: { name } }: Named, namespace: string) => ({
  ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingAdmissionPolicyBinding' },
  metadata: { name },
  spec: {
    policyName: name,
    matchResources: {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    },
  },
});

const patch = (path: string, value: unknown) =>
  `JSONPatch{op: "add", path: ${cel(path)}, value: ${cel(value)}}`;

/** CEL of some JSON: values of a map may be of several types. */
function cel(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(cel).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => `${cel(key)}: dyn(${cel(field)})`);
  return `{${fields.join(', ')}}`;
}
