/**
 * Whether a warning of the API server is about its own version or an earlier one. From the first day of a beta version on it tells
 * when that will be deprecated, e.g. `scheduling.k8s.io/v1beta1 PodGroup is deprecated in v1.40+, unavailable in v1.43+`.
 */
export function isDue(warning: string, { gitVersion }: { readonly gitVersion: string }): boolean {
  const from = minorIn(/ is deprecated in (v\d+\.\d+)\+/.exec(warning)?.[1]);
  const own = minorIn(gitVersion);
  return from === undefined || own === undefined || from <= own;
}

/** Of version 1, as all are. */
function minorIn(version = ''): number | undefined {
  const minor = /^v1\.(\d+)/.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}
