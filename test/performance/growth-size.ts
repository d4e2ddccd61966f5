/** So many jobs that a watcher knows of. */
export interface GrowthSize {
  readonly ended: number;
  readonly live: number;
  /** Of each live job. */
  readonly podsPerJob: number;
}

export const inMiB = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
