import { Context } from '@temporalio/activity';
import type { ClusterClient } from '../../cluster/client.ts';

/**
 * Whether nobody may begin any more with a turn of a gated gang, or take what a lane grants. `until` is a time of the API server's
 * clock. One that was over on arrival is told in the log: too few workers, or a clock that is wrong, keep jobs waiting.
 */
export function isTurnOver(cluster: Pick<ClusterClient, 'now'>, until: number): boolean {
  const lateMs = cluster.now() - until;
  if (lateMs <= 0) return false;
  Context.current().log.warn('a turn was over before a worker came to it', { lateMs });
  return true;
}
