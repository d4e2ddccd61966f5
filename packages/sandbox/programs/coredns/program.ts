import type { Program } from '../program.ts';

const version = '1.15.0';

/** Resolves the names of Services and pods for real nodes. */
export const coredns: Program = {
  name: 'coredns',
  version,
  versionArgs: ['-version'],
  // CoreDNS-1.15.0
  parseVersion: (output) => /^CoreDNS-(\S+)$/m.exec(output)?.[1],
  release({ os, arch }, { github }) {
    if (os !== 'linux') return undefined; // real nodes need Linux
    const url = `${github}/coredns/coredns/releases/download/v${version}/coredns_${version}_${os}_${arch}.tgz`;
    return {
      url,
      checksum: { url: `${url}.sha256`, find: (published) => published.trim().split(/\s/)[0] },
      member: 'coredns',
    };
  },
  build: { module: 'coredns', package: '.', ldflags: '', minutes: 1 },
};
