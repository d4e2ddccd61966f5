import { findInSums, type Program } from '../program.ts';

const version = '2.40.3';

/** Docker's plugin, which also runs on its own. No sandbox runs it. */
export const dockerCompose: Program = {
  name: 'docker-compose',
  version,
  versionArgs: ['version'],
  // Docker Compose version v2.40.3
  parseVersion: (output) => /^Docker Compose version v?(\S+)$/m.exec(output)?.[1],
  release({ os, arch }, { github }) {
    const file = `docker-compose-${os}-${arch === 'amd64' ? 'x86_64' : 'aarch64'}`;
    const url = `${github}/docker/compose/releases/download/v${version}/${file}`;
    return { url, checksum: { url: `${url}.sha256`, find: findInSums(file) } };
  },
  build: {
    module: 'docker-compose',
    package: 'github.com/docker/compose/v2/cmd',
    ldflags: `-X github.com/docker/compose/v2/internal.Version=v${version}`,
    minutes: 4,
  },
};
