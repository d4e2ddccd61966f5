import { findInSums, type Program } from '../program.ts';

const version = '1.7.12';

/** Checks the workflows of GitHub Actions. */
export const actionlint: Program = {
  name: 'actionlint',
  version,
  versionArgs: ['-version'],
  parseVersion: (output) => /^v?(\d+\.\d+\.\d+)$/m.exec(output)?.[1],
  release({ os, arch }, { github }) {
    const folder = `${github}/rhysd/actionlint/releases/download/v${version}`;
    const file = `actionlint_${version}_${os}_${arch}.tar.gz`;
    return {
      url: `${folder}/${file}`,
      checksum: { url: `${folder}/actionlint_${version}_checksums.txt`, find: findInSums(file) },
      member: 'actionlint',
    };
  },
  build: {
    module: 'actionlint',
    package: 'github.com/rhysd/actionlint/cmd/actionlint',
    ldflags: `-X github.com/rhysd/actionlint.version=${version}`,
    minutes: 0.5,
  },
};
