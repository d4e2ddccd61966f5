import { celList } from '../../model/cel.ts';

/** What of a TrainJob decides which programs its pods run, and with which rights. */
const FIELDS = ['runtimeRef', 'trainer', 'initializer', 'podTemplateOverrides', 'podSpecOverrides'];
const OF_PODS = [
  ...['serviceAccountName', 'volumes', 'initContainers', 'containers'],
  ...['imagePullSecrets', 'securityContext'],
];

/** Kueue, for one, patches node selectors and tolerations, and need not be allowed to create pods. */
export function celPowers(object: string): string {
  const own = FIELDS.map((field) => `dyn(${object}.spec.?${field}.orValue(null))`);
  const jobs = 'p.?trainingRuntimeSpec.?template.?spec.?replicatedJobs.orValue([])';
  const pods = `${jobs}.map(j, dyn(j.?template.?spec.?template.?spec.orValue({})))`;
  const patched = `${object}.spec.?runtimePatches.orValue([]).map(p, ${pods}.filter(s, ${celList(OF_PODS)}.exists(f, f in s))).flatten()`;
  return `[${own.join(', ')}] + ${patched}`;
}
