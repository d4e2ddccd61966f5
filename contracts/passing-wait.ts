const PASSING: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing', 'ContainersNotReady']);

/** Whether every container has this reason to wait for a while. */
export const isPassingWait = (reason: string): boolean => PASSING.has(reason);
