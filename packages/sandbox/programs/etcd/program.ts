import { findInSums, type Program } from '../program.ts';

const version = '3.6.5';

export const etcd: Program = {
  name: 'etcd',
  version,
  versionArgs: ['--version'],
  parseVersion: (output) => /^etcd Version: (\S+)$/m.exec(output)?.[1],
  release({ os, arch }, { github }) {
    const base = `${github}/etcd-io/etcd/releases/download/v${version}`;
    const folder = `etcd-v${version}-${os}-${arch}`;
    const file = `${folder}.${os === 'linux' ? 'tar.gz' : 'zip'}`;
    return {
      url: `${base}/${file}`,
      checksum: { url: `${base}/SHA256SUMS`, find: findInSums(file) },
      member: `${folder}/etcd`,
    };
  },
  build: { module: 'etcd', package: 'go.etcd.io/etcd/server/v3', ldflags: '', minutes: 0.5 },
};
