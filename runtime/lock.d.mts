export declare function acquireLock(
  path: string,
  onWait: (holder: number) => void,
): Promise<() => Promise<void>>;
