import type { Program } from '../program.ts';

const version = '1.36.3';

export const kubeApiserver: Program = kubernetes('kube-apiserver', 3);
export const kubeScheduler: Program = kubernetes('kube-scheduler', 0.5);
export const kubeControllerManager: Program = kubernetes('kube-controller-manager', 1);
/** Runs the pods of real nodes. */
export const kubelet: Program = kubernetes('kubelet', 1);

function kubernetes(name: string, minutes: number): Program {
  return {
    name,
    version,
    versionArgs: ['--version'],
    parseVersion: (output) => /^Kubernetes v(\S+)$/m.exec(output)?.[1],
    release({ os, arch }, origins) {
      if (os !== 'linux') return undefined; // server programs are published for Linux only
      const url = `${origins.kubernetes}/v${version}/bin/${os}/${arch}/${name}`;
      return {
        url,
        checksum: { url: `${url}.sha256`, find: (published) => published.trim().split(/\s/)[0] },
      };
    },
    build: {
      module: 'kubernetes',
      package: `k8s.io/kubernetes/cmd/${name}`,
      // without it the server reports a version that clients cannot parse
      ldflags: `-X k8s.io/component-base/version.gitVersion=v${version}`,
      minutes,
    },
  };
}
