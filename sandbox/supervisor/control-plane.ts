import { join } from 'node:path';
import type { Component } from './component.ts';
import type { Context } from './context.ts';
import { answersOk } from './readiness.ts';

const START_MS = 60_000;

export function etcd({ launch, layout }: Context): Component {
  const { etcd: port, etcdPeer } = launch.ports;
  const url = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${etcdPeer}`;
  return {
    name: 'etcd',
    program: launch.programs.etcd,
    args: [
      `--data-dir=${layout.etcdData}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      '--log-level=warn',
      // a sandbox that lives for weeks must not keep every version of every object
      '--auto-compaction-mode=periodic',
      '--auto-compaction-retention=30m',
      ...(launch.options.durable ? [] : ['--unsafe-no-fsync']),
    ],
    isReady: () => answersOk(`${url}/readyz`),
    readyWithinMs: START_MS,
    stopWithinMs: 5_000,
  };
}

export function kubeApiserver({ launch, credentials, api }: Context): Component {
  return {
    name: 'kube-apiserver',
    program: launch.programs['kube-apiserver'],
    args: [
      `--etcd-servers=http://127.0.0.1:${launch.ports.etcd}`,
      `--secure-port=${launch.ports.kubernetes}`,
      '--bind-address=127.0.0.1',
      // without these it looks for a default route, which a laptop on a train does not have
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      `--cert-dir=${credentials.certDir}`,
      '--service-account-issuer=https://signalbox.sandbox',
      `--service-account-key-file=${credentials.serviceAccountPublicKey}`,
      `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
      `--token-auth-file=${credentials.tokensFile}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/16',
      // no token mounts: pods of the sandbox run without a kubelet that could mount them
      '--disable-admission-plugins=ServiceAccount,DefaultStorageClass',
      // native gang scheduling
      '--runtime-config=scheduling.k8s.io/v1alpha2=true',
      '--feature-gates=GenericWorkload=true',
      '--profiling=false',
    ],
    isReady: async () => (await api().call<string>('GET', '/readyz')) === 'ok',
    readyWithinMs: START_MS,
    stopWithinMs: 3_000, // it would wait a minute for watches to end, and all of its clients are gone
  };
}

export function kubeScheduler({ launch, layout }: Context): Component {
  const port = launch.ports.scheduler;
  return {
    name: 'kube-scheduler',
    program: launch.programs['kube-scheduler'],
    args: [
      ...client(layout.kubeconfig),
      ...healthPort(port, join(layout.credentials, 'kube-scheduler')),
      // its default of 50 requests a second is what a bench would otherwise measure
      '--kube-api-qps=5000',
      '--kube-api-burst=5000',
      '--feature-gates=GenericWorkload=true,GangScheduling=true',
    ],
    isReady: () => answersOk(`https://127.0.0.1:${port}/readyz`),
    readyWithinMs: START_MS,
    stopWithinMs: 3_000,
  };
}

export function kubeControllerManager({ launch, layout, credentials }: Context): Component {
  const port = launch.ports.controllerManager;
  // No endpointslice-controller: the local node's pods have loopback addresses, which an EndpointSlice may not hold, so
  // each Service would get a warning. Names are resolved by the local node itself.
  const controllers = [
    'garbage-collector-controller', // owner references
    'namespace-controller',
    'pod-garbage-collector-controller',
    'serviceaccount-controller',
    'node-lifecycle-controller', // without it new nodes keep their not-ready taint
    'taint-eviction-controller', // pods of a dead node are evicted
    'podgroup-protection-controller', // without it a deleted PodGroup never goes
  ];
  return {
    name: 'kube-controller-manager',
    program: launch.programs['kube-controller-manager'],
    args: [
      ...client(layout.kubeconfig),
      ...healthPort(port, join(layout.credentials, 'kube-controller-manager')),
      `--controllers=${controllers.join(',')}`,
      '--feature-gates=GenericWorkload=true',
      `--service-account-private-key-file=${credentials.serviceAccountKey}`,
      '--kube-api-qps=1000',
      '--kube-api-burst=2000',
    ],
    isReady: () => answersOk(`https://127.0.0.1:${port}/healthz`),
    readyWithinMs: START_MS,
    stopWithinMs: 3_000,
  };
}

function client(kubeconfig: string): string[] {
  return [`--kubeconfig=${kubeconfig}`, '--leader-elect=false'];
}

function healthPort(port: number, certDir: string): string[] {
  return [`--secure-port=${port}`, '--bind-address=127.0.0.1', `--cert-dir=${certDir}`];
}
