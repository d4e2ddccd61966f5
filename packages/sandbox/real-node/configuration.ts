import type { NodeTimes } from '../state.ts';
import type { Network } from './network.ts';
import { hostAddress, nodeAddress, podRange } from './network.ts';

/** Values for the configuration of one node's programs. */
export interface NodeConfiguration {
  readonly network: Network;
  readonly index: number;
  /** The node's own folder. */
  readonly dir: string;
  readonly cgroup: string;
  readonly cniFolder: string;
  readonly runc: string;
  /** The authority of the API server's client certificate. */
  readonly clientAuthority: string;
  readonly times: NodeTimes;
}

export const PAUSE_IMAGE = 'localhost/signalbox/pause:1';

export function containerdConfiguration({ dir, cniFolder, runc }: NodeConfiguration): string {
  return `version = 2
root = "${dir}/containerd"
state = "/run/containerd"
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "${dir}/containerd-opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  disable_apparmor = true
  # Without CAP_SYS_RESOURCE no process may be made less likely to be killed than this one, and runc would end with
  # "can't get final child's PID from pipe: EOF".
  restrict_oom_score_adj = true
  disable_tcp_service = true
  stream_server_address = "127.0.0.1"
  tolerate_missing_hugetlb_controller = true
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
        BinaryName = "${runc}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${cniFolder}"
    conf_dir = "${dir}/cni"
`;
}

export function cniConfiguration({ network, index, dir }: NodeConfiguration): object {
  return {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        ipam: {
          type: 'host-local',
          dataDir: `${dir}/addresses`,
          ranges: [[podRange(network, index)]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
    ],
  };
}

export function kubeletConfiguration({
  network,
  index,
  dir,
  cgroup,
  clientAuthority,
  times,
}: NodeConfiguration): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    failCgroupV1: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: cgroup,
    cgroupsPerQOS: true,
    enforceNodeAllocatable: ['pods'],
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    address: nodeAddress(network, index),
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: false },
      x509: { clientCAFile: clientAuthority },
    },
    authorization: { mode: 'AlwaysAllow' },
    clusterDomain: 'cluster.local',
    clusterDNS: [hostAddress(network)],
    resolvConf: '',
    failSwapOn: false,
    // Its rules would stay behind, or mix with those of this network.
    makeIPTablesUtilChains: false,
    // There is no registry to pull a collected image again.
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '500Mi', 'imagefs.available': '500Mi' },
    podLogsDir: `${dir}/pod-logs`,
    volumePluginDir: `${dir}/volume-plugins`,
    serializeImagePulls: false,
    ...(times === 'quick' && QUICK_TIMES),
  };
}

/** A silent node is noticed sooner, and a container restarts in place sooner. */
const QUICK_TIMES = {
  syncFrequency: '10s',
  nodeStatusUpdateFrequency: '4s',
  nodeLeaseDurationSeconds: 16,
  featureGates: { KubeletCrashLoopBackOffMax: true },
  crashLoopBackOff: { maxContainerRestartPeriod: '3s' },
};

/**
 * Two blocks, because CoreDNS runs `template` before `kubernetes`: in one block it would answer NXDOMAIN for every
 * name. Without `template`, unknown names would get an error.
 */
export function corefile({ network, kubeconfig }: { network: Network; kubeconfig: string }): string {
  const address = hostAddress(network);
  return `cluster.local:53 in-addr.arpa:53 {
  bind ${address}
  errors
  health ${address}:18080
  kubernetes cluster.local in-addr.arpa {
    kubeconfig ${kubeconfig}
    ttl 1
  }
}
.:53 {
  bind ${address}
  errors
  template ANY ANY . {
    rcode NXDOMAIN
  }
}
`;
}
