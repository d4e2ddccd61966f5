import { findInSums, type Program } from '../program.ts';

const version = '1.32.1';

/**
 * What an installation of Temporal runs, which the dev server of the sandbox is not: that has no authorizer and only
 * SQLite. No sandbox runs it.
 */
export const temporalServer: Program = {
  ...ofTheRelease('temporal-server'),
  build: {
    module: 'temporal-server',
    package: 'go.temporal.io/server/cmd/server',
    ldflags: '',
    minutes: 5,
  },
};

/** Makes the tables of Temporal's databases. Built with the server's modules. */
export const temporalSqlTool: Program = {
  ...ofTheRelease('temporal-sql-tool'),
  build: {
    module: 'temporal-server',
    package: 'go.temporal.io/server/cmd/tools/sql',
    ldflags: '',
    minutes: 0.5,
  },
};

function ofTheRelease(name: string): Omit<Program, 'build'> {
  return {
    name,
    version,
    versionArgs: ['--version'],
    // temporal version 1.32.1, temporal-sql-tool version 1.32.1
    parseVersion: (output) => /^(?:temporal|temporal-sql-tool) version (\S+)$/m.exec(output)?.[1],
    release({ os, arch }, { github }) {
      const base = `${github}/temporalio/temporal/releases/download/v${version}`;
      const file = `temporal_${version}_${os}_${arch}.tar.gz`;
      return {
        url: `${base}/${file}`,
        checksum: { url: `${base}/checksums.txt`, find: findInSums(file) },
        member: name,
      };
    },
  };
}
