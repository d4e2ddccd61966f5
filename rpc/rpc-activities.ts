import { Context } from '@temporalio/activity';
import { heartbeatWhile } from '../activities/support/heartbeat.ts';
import type { RpcActivities } from '../contracts/rpc.ts';
import type { RpcServers } from './rpc-servers.ts';

/** Changes nothing, so it may run twice. Only a worker that is asked loads what answers. */
export const createRpcActivities = (servers: RpcServers): RpcActivities => ({
  answerRpc: (request) => heartbeatWhile(loadedAnswer(servers, request)),
});

async function loadedAnswer(servers: RpcServers, request: unknown) {
  const { answerFrom } = await import('./answer.ts');
  return answerFrom(servers, request, Context.current().cancellationSignal);
}
