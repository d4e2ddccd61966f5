/** Says why a role that runs keeps its size, and what to do. */
export const cannotScaleText = (role: string, kind: string): string =>
  `${role} of a ${kind} cannot change its size while it runs; scaleByRestart: true in the policy allows a restart of the gang with the new size, and a suspended job of any kind can be scaled`;
