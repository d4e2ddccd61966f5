import { findInSums, type Program } from '../program.ts';

const version = '0.22.1';

/** Pushes an OCI image layout to a registry, and serves one for tests. */
export const crane: Program = {
  name: 'crane',
  version,
  versionArgs: ['version'],
  parseVersion: (output) => /^v?(\d+\.\d+\.\d+)$/m.exec(output)?.[1],
  release({ os, arch }, { github }) {
    const folder = `${github}/google/go-containerregistry/releases/download/v${version}`;
    const file = `go-containerregistry_${OS[os]}_${ARCH[arch]}.tar.gz`;
    return {
      url: `${folder}/${file}`,
      checksum: { url: `${folder}/checksums.txt`, find: findInSums(file) },
      member: 'crane',
    };
  },
  build: {
    module: 'crane',
    package: 'github.com/google/go-containerregistry/cmd/crane',
    ldflags: `-X github.com/google/go-containerregistry/cmd/crane/cmd.Version=${version}`,
    minutes: 0.5,
  },
};

const OS = { linux: 'Linux', darwin: 'Darwin' } as const;
const ARCH = { amd64: 'x86_64', arm64: 'arm64' } as const;
