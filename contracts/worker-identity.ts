/** The identity of a worker, as Temporal shows it: which version runs where. */
export const workerIdentityOf = (version: string, process: { readonly pid: number; readonly host: string }) =>
  `signalbox-${version} ${process.pid}@${process.host}`;

/** Returns the version in a worker's identity; undefined if it has none. */
export const versionInIdentity = (identity: string): string | undefined =>
  /^signalbox-(\S+) /.exec(identity)?.[1];
