/** Says which containers go on in a pod whose program has ended. */
export const describeStillRunning = (containers: readonly string[]): string =>
  `${containers.join(' and ')} still ${containers.length > 1 ? 'run' : 'runs'}`;
