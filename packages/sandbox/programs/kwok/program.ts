import type { Program } from '../program.ts';

const version = '0.7.0';

/** The kubelet of simulated nodes. */
export const kwok: Program = {
  name: 'kwok',
  version,
  versionArgs: ['--version'],
  // kwok version v0.7.0 go1.26.8 (linux/amd64)
  parseVersion: (output) => /^kwok version v(\S+)/m.exec(output)?.[1],
  release({ os, arch }, { github, githubApi }) {
    const file = `kwok-${os}-${arch}`;
    return {
      url: `${github}/kubernetes-sigs/kwok/releases/download/v${version}/${file}`,
      // kwok publishes no checksum file; GitHub publishes the digest of each file of a release
      checksum: {
        url: `${githubApi}/repos/kubernetes-sigs/kwok/releases/tags/v${version}`,
        find: (published) => findDigest(published, file),
      },
    };
  },
  build: { module: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok', ldflags: '', minutes: 1.5 },
};

function findDigest(published: string, file: string): string | undefined {
  const release = JSON.parse(published) as { assets?: { name: string; digest?: string | null }[] };
  const digest = release.assets?.find((asset) => asset.name === file)?.digest;
  return digest?.startsWith('sha256:') ? digest.slice('sha256:'.length) : undefined;
}
