import { findInSums, type Program } from '../program.ts';

const version = '1.5.1';

/** The dev server: Temporal server 1.29.1, UI 2.42.1 and SQLite in one program. */
export const temporal: Program = {
  name: 'temporal',
  version,
  versionArgs: ['--version'],
  // temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)
  parseVersion: (output) => /^temporal version (\S+) /m.exec(output)?.[1],
  release({ os, arch }, { github }) {
    const base = `${github}/temporalio/cli/releases/download/v${version}`;
    const file = `temporal_cli_${version}_${os}_${arch}.tar.gz`;
    return {
      url: `${base}/${file}`,
      checksum: { url: `${base}/checksums.txt`, find: findInSums(file) },
      member: 'temporal',
    };
  },
  build: {
    module: 'temporal',
    package: 'github.com/temporalio/cli/cmd/temporal',
    ldflags: `-X github.com/temporalio/cli/temporalcli.Version=${version}`,
    minutes: 2.5,
  },
};
