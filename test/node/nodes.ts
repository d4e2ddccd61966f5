import { fileURLToPath } from 'node:url';

/** The cluster that all tests of real nodes share. */
export const NODES = ['node-1', 'node-2'] as const;
export const CLUSTER_DIR = fileURLToPath(new URL('../../.signalbox/real-nodes', import.meta.url));

/** Set where there is one; without it every test is skipped. */
export const CLUSTER_VARIABLE = 'SIGNALBOX_TEST_REAL_NODES';

/** What it is made of, beside the packages of the machine. */
export const NODE_PROGRAMS = [
  'temporal',
  'etcd',
  'kube-apiserver',
  'kube-scheduler',
  'kube-controller-manager',
  'kubelet',
  'coredns',
  'helm',
  'kubectl',
] as const;
