import { findInSums, type Program } from '../program.ts';

const version = '3.1.3';

/** Signs what is released, and verifies signatures and attestations. */
export const cosign: Program = {
  name: 'cosign',
  version,
  versionArgs: ['version'],
  // GitVersion:    v3.1.3
  parseVersion: (output) => /^GitVersion:\s+v(\S+)$/m.exec(output)?.[1],
  release({ os, arch }, { github }) {
    const folder = `${github}/sigstore/cosign/releases/download/v${version}`;
    const file = `cosign-${os}-${arch}`;
    return {
      url: `${folder}/${file}`,
      checksum: { url: `${folder}/cosign_checksums.txt`, find: findInSums(file) },
    };
  },
  build: {
    module: 'cosign',
    package: 'github.com/sigstore/cosign/v3/cmd/cosign',
    ldflags: `-X sigs.k8s.io/release-utils/version.gitVersion=v${version}`,
    minutes: 5,
  },
};
