import type { Replica } from '../../../model/framework.ts';
import { type PluginJob, plugin, taskNamed } from './plugin.ts';

/** The rank of a pod, for collectives on Ascend. */
export const hcclrank = plugin({
  defaults: { master: 'master', worker: 'worker' },
  annotations: (job, replica, args) => {
    const rank = rankOf(job, replica, args);
    const marks: Record<string, string> = rank === undefined ? {} : { 'hccl/rankIndex': rank };
    return marks;
  },
});

function rankOf(
  job: PluginJob,
  { role, index }: Replica,
  { master, worker }: { readonly master: string; readonly worker: string },
): string | undefined {
  const given = role.template.spec.containers
    .flatMap(({ env = [] }) => env)
    .find(({ name }) => name === 'RANK');
  if (given?.value !== undefined) return given.value;
  if (role.name === master) return `${index}`;
  return role.name === worker ? `${(taskNamed(job, master)?.replicas ?? 0) + index}` : undefined;
}
