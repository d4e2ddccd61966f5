import type { Member } from '../../../contracts/host-list.ts';
import { podNameOf } from '../../../contracts/labels.ts';
import { findRole } from '../../../contracts/roles.ts';
import type { Role, TrainingJob } from '../../../contracts/training-job.ts';
import type { FrameworkPlan } from '../../model/framework.ts';

/** The script that elastic programs call to list the hosts available now. */
export const DISCOVER_HOSTS = 'discover_hosts.sh';

export const countWorkers = (roles: readonly Role[]) => findRole(roles, 'Worker')?.replicas ?? 0;

export const workersOf = ({ name, roles }: Pick<TrainingJob, 'name' | 'roles'>): readonly string[] =>
  Array.from({ length: countWorkers(roles) }, (_, index) => podNameOf(name, 'Worker', index));

/** Returns the workers on the list, ordered by index. */
export const workersAmong = (members: readonly Member[]): readonly string[] =>
  members
    .filter(({ role }) => role === 'worker')
    .sort((a, b) => a.index - b.index)
    .map(({ pod }) => pod);

/** A worker is listed as a host when it is ready. */
export const hostListOf = (roles: readonly Role[]): FrameworkPlan['hostList'] =>
  countWorkers(roles) > 0 ? { when: 'ready', roles: ['Worker'] } : undefined;
