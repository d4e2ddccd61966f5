import { join, relative } from 'node:path';
import { kubernetesReleases } from '../kubernetes-versions.ts';
import type { SandboxLayout } from '../layout.ts';
import type { Component } from './component.ts';
import type { Context } from './context.ts';
import { ensureKubeletClient } from './kubelet-client.ts';
import { answersOk } from './readiness.ts';

const START_MS = 60_000;

/** Unix sockets that only the sandbox's user can open: write access to etcd is access to the whole cluster. */
const CLIENTS = 'etcd.sock';
const PEERS = 'etcd-peers.sock';
/** etcd requires an address of this form. Nothing uses it: there is one member, and its client gets the socket. */
const ADVERTISED = `unix://${PEERS}:0`;

/** What starts each component of the control plane. */
export const controlPlane = {
  etcd: launchEtcd,
  'kube-apiserver': launchApiServer,
  'kube-scheduler': launchScheduler,
  'kube-controller-manager': launchControllerManager,
};

function launchEtcd({ launch, layout }: Context): Component {
  return {
    name: 'etcd',
    program: launch.programs.etcd,
    // Relative to this folder, because socket paths must be short.
    cwd: layout.credentials,
    args: [
      `--data-dir=${layout.etcdData}`,
      `--listen-client-urls=unix://${CLIENTS}`,
      `--advertise-client-urls=${ADVERTISED}`,
      `--listen-peer-urls=unix://${PEERS}`,
      `--initial-advertise-peer-urls=${ADVERTISED}`,
      `--initial-cluster=default=${ADVERTISED}`,
      '--log-level=warn',
      // a sandbox that lives for weeks must not keep every version of every object
      '--auto-compaction-mode=periodic',
      '--auto-compaction-retention=30m',
      ...(launch.options.durable ? [] : ['--unsafe-no-fsync']),
    ],
    isReady: () => answersOk('http://etcd/readyz', relativeToDir(layout)),
    readyWithinMs: START_MS,
    stopWithinMs: 5_000,
  };
}

/** The working directory of the supervisor and its components is the sandbox's folder. */
const relativeToDir = ({ dir, etcdSocket }: SandboxLayout) => relative(dir, etcdSocket);

function launchApiServer(context: Context): Component {
  const { launch, layout, credentials } = context;
  const { realNodes, auditPolicy } = launch.options;
  return {
    name: 'kube-apiserver',
    program: launch.programs['kube-apiserver'],
    args: [
      `--etcd-servers=unix://${relativeToDir(layout)}`,
      `--secure-port=${launch.ports.kubernetes}`,
      '--bind-address=127.0.0.1',
      // without these it requires a default route, which an offline laptop does not have
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      `--cert-dir=${credentials.certDir}`,
      '--service-account-issuer=https://signalbox.sandbox',
      `--service-account-key-file=${credentials.serviceAccountPublicKey}`,
      `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
      `--token-auth-file=${credentials.tokensFile}`,
      '--authorization-mode=RBAC',
      // as every common distribution
      '--allow-privileged=true',
      '--service-cluster-ip-range=10.0.0.0/16',
      // no token volumes without a kubelet to mount them
      `--disable-admission-plugins=${realNodes ? '' : 'ServiceAccount,'}DefaultStorageClass`,
      ...(realNodes ? kubeletClient(context) : []),
      ...servedGangs(context),
      '--profiling=false',
      ...(auditPolicy ? audit(auditPolicy, layout) : []),
    ],
    isReady: () => answersOk(`https://127.0.0.1:${launch.ports.kubernetes}/readyz`),
    readyWithinMs: START_MS,
    stopWithinMs: 3_000, // it would wait a minute for watches to end, but all clients have stopped
  };
}

function launchScheduler(context: Context): Component {
  const { launch, layout } = context;
  const port = launch.ports.scheduler;
  return {
    name: 'kube-scheduler',
    program: launch.programs['kube-scheduler'],
    args: [
      ...client(layout.schedulerKubeconfig),
      ...healthPort(port, join(layout.credentials, 'kube-scheduler')),
      // with the default of 50 requests a second, a benchmark would measure only that
      '--kube-api-qps=5000',
      '--kube-api-burst=5000',
      // its metrics require a token
      `--authentication-kubeconfig=${layout.schedulerKubeconfig}`,
      `--authorization-kubeconfig=${layout.schedulerKubeconfig}`,
      ...gangGates(context, nativeGangsOf(context)?.schedulerGates),
    ],
    isReady: () => answersOk(`https://127.0.0.1:${port}/readyz`),
    readyWithinMs: START_MS,
    stopWithinMs: 3_000,
  };
}

const nativeGangsOf = ({ launch }: Context) => kubernetesReleases[launch.options.kubernetes].nativeGangs;

function servedGangs(context: Context): string[] {
  const gangs = nativeGangsOf(context);
  return gangs ? [`--runtime-config=${gangs.apiVersion}=true`, ...gangGates(context)] : [];
}

/** All components need one gate for native gangs. */
const gangGates = (context: Context, others: readonly string[] = []): string[] =>
  nativeGangsOf(context) ? [`--feature-gates=${['GenericWorkload=true', ...others].join(',')}`] : [];

function launchControllerManager(context: Context): Component {
  const { launch, layout, credentials } = context;
  const port = launch.ports.controllerManager;
  const { realNodes, nodeTimes } = launch.options;
  // No endpointslice-controller without real nodes: EndpointSlices reject the loopback addresses of the local node's
  // pods, so each Service would get a warning. The local node resolves names itself.
  const controllers = [
    'garbage-collector-controller', // owner references
    'namespace-controller',
    'pod-garbage-collector-controller',
    'serviceaccount-controller',
    'root-ca-certificate-publisher-controller', // its ConfigMap in every namespace
    'resourcequota-controller', // without it a quota never frees the share of a deleted pod
    'deployment-controller',
    'replicaset-controller',
    'job-controller', // mpi-operator's launchers are Jobs
    'disruption-controller', // without it evictions are refused, because a budget has no status
    'node-lifecycle-controller', // without it new nodes keep their not-ready taint
    'taint-eviction-controller', // evicts pods of dead nodes
    'horizontal-pod-autoscaler-controller', // keeps sizes within bounds; there are no metrics
    // without it a deleted PodGroup keeps its finalizer
    ...(nativeGangsOf(context) ? ['podgroup-protection-controller'] : []),
    'persistentvolumeclaim-protection-controller', // the same for claims
    'persistentvolume-protection-controller', // and for volumes
    'persistentvolume-binder-controller',
    'resourceclaim-controller', // makes claims from templates, and gives devices back
    ...(realNodes ? ['endpointslice-controller'] : []), // CoreDNS reads EndpointSlices
  ];
  return {
    name: 'kube-controller-manager',
    program: launch.programs['kube-controller-manager'],
    args: [
      ...client(layout.controllerManagerKubeconfig),
      ...healthPort(port, join(layout.credentials, 'kube-controller-manager')),
      `--controllers=${controllers.join(',')}`,
      ...gangGates(context),
      `--service-account-private-key-file=${credentials.serviceAccountKey}`,
      ...(realNodes && nodeTimes === 'quick' ? QUICK_NODE_MONITOR : []),
      '--kube-api-qps=1000',
      '--kube-api-burst=2000',
    ],
    isReady: () => answersOk(`https://127.0.0.1:${port}/healthz`),
    readyWithinMs: START_MS,
    stopWithinMs: 3_000,
  };
}

/** One file without rotation, because tests read it at the end. */
function audit(policy: string, { auditLog }: SandboxLayout): string[] {
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${auditLog}`, '--audit-log-maxsize=4096'];
}

/** A silent node is NotReady after 16 s instead of 50. Kubelets report every 4 s. */
const QUICK_NODE_MONITOR = ['--node-monitor-grace-period=16s', '--node-monitor-period=2s'];

/** For logs of pods and commands in them: a kubelet accepts only this certificate. */
function kubeletClient({ layout }: Context): string[] {
  const { certificate, key } = ensureKubeletClient(layout);
  return [
    `--kubelet-client-certificate=${certificate}`,
    `--kubelet-client-key=${key}`,
    '--kubelet-preferred-address-types=InternalIP',
  ];
}

function client(kubeconfig: string): string[] {
  return [`--kubeconfig=${kubeconfig}`, '--leader-elect=false'];
}

function healthPort(port: number, certDir: string): string[] {
  return [`--secure-port=${port}`, '--bind-address=127.0.0.1', `--cert-dir=${certDir}`];
}
