/** Says why a role that runs keeps its size, and what to do. */
export const cannotScaleText = (role: string, kind: string): string =>
  `${role} of a ${kind} cannot change its size while it runs; scaleByRestart: true in the policy allows a restart of the gang with the new size, and a suspended job of any kind can be scaled`;

/** Says why a role that runs gets no more pods where its job has quota for those it has. */
export const cannotGrowText = (role: string): string =>
  `${role} cannot grow while it runs, because Kueue has admitted the job with the pods that it has; scaleByRestart: true in the policy allows to queue it again with the new size, and a suspended job can be scaled`;
