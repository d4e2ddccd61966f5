import { findInSums, type Program } from '../program.ts';

const version = '3.22.0';
/** Helm's own modules of Kubernetes. */
const kubernetes = '1.37.0';
/** Without it Helm believes in a cluster of version 1.20. */
const [major, minor] = kubernetes.split('.');

/** Installs and tests the chart. No sandbox runs it. */
export const helm: Program = {
  name: 'helm',
  version,
  versionArgs: ['version', '--short'],
  // v3.22.0+g1234567
  parseVersion: (output) => /^v(\d[^+\s]*)/m.exec(output)?.[1],
  release({ os, arch }, origins) {
    const file = `helm-v${version}-${os}-${arch}.tar.gz`;
    const url = `${origins.helm}/${file}`;
    return {
      url,
      checksum: { url: `${url}.sha256sum`, find: findInSums(file) },
      member: `${os}-${arch}/helm`,
    };
  },
  build: {
    module: 'helm',
    package: 'helm.sh/helm/v3/cmd/helm',
    ldflags: [
      `-X helm.sh/helm/v3/internal/version.version=v${version}`,
      `-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor=${major}`,
      `-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=${minor}`,
    ].join(' '),
    minutes: 2,
  },
};

/** Applies kustomizations. Built with Helm's modules, which are most of it. */
export const kubectl: Program = {
  name: 'kubectl',
  version: kubernetes,
  versionArgs: ['version', '--client'],
  parseVersion: (output) => /^Client Version: v(\S+)$/m.exec(output)?.[1],
  release({ os, arch }, origins) {
    const url = `${origins.kubernetes}/v${kubernetes}/bin/${os}/${arch}/kubectl`;
    return {
      url,
      checksum: { url: `${url}.sha256`, find: (published) => published.trim().split(/\s/)[0] },
    };
  },
  build: {
    module: 'helm',
    package: './kubectl',
    ldflags: `-X k8s.io/component-base/version.gitVersion=v${kubernetes}`,
    minutes: 0.5,
  },
};
