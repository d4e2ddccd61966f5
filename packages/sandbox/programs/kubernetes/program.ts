import { type KubernetesVersion, kubernetesReleases } from '../../kubernetes-versions.ts';
import type { Program } from '../program.ts';

/** The programs of one version of Kubernetes. */
export const kubernetesPrograms = (version: KubernetesVersion) => ({
  'kube-apiserver': kubernetes(version, { name: 'kube-apiserver', minutes: 3 }),
  'kube-scheduler': kubernetes(version, { name: 'kube-scheduler', minutes: 0.5 }),
  'kube-controller-manager': kubernetes(version, { name: 'kube-controller-manager', minutes: 1 }),
  /** Runs the pods of real nodes. */
  kubelet: kubernetes(version, { name: 'kubelet', minutes: 1 }),
});

function kubernetes(
  version: KubernetesVersion,
  { name, minutes }: { readonly name: string; readonly minutes: number },
): Program {
  const { release } = kubernetesReleases[version];
  return {
    name,
    version: release,
    versionArgs: ['--version'],
    parseVersion: (output) => /^Kubernetes v(\S+)$/m.exec(output)?.[1],
    release({ os, arch }, origins) {
      if (os !== 'linux') return undefined; // server programs are published for Linux only
      const url = `${origins.kubernetes}/v${release}/bin/${os}/${arch}/${name}`;
      return {
        url,
        checksum: { url: `${url}.sha256`, find: (published) => published.trim().split(/\s/)[0] },
      };
    },
    build: {
      module: `kubernetes/${version}`,
      package: `k8s.io/kubernetes/cmd/${name}`,
      // without it the server reports a version that clients cannot parse
      ldflags: `-X k8s.io/component-base/version.gitVersion=v${release}`,
      minutes,
    },
  };
}
