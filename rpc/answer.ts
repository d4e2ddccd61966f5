import { RefusedError } from '../client/errors/errors.ts';
import { translatedErrors } from '../client/use-cases/archive/archive-client-errors.ts';
import type { RpcAnswer } from '../contracts/rpc.ts';
import { describeValue } from '../frameworks/fields/faults.ts';
import { isFields } from '../language/fields.ts';
import { archiveIn } from '../record/archive/archive-reader.ts';
import { NamedStore } from '../record/archive/named-store.ts';
import { asRpcFailure } from './failures.ts';
import { METHODS } from './methods.ts';
import { ownArchive } from './own-records.ts';
import type { RpcCall } from './rpc-call.ts';
import type { RpcServers } from './rpc-servers.ts';
import { workerPorts } from './worker-ports.ts';

/** Answers a request with what a worker can read. Throws failures of Temporal. */
export async function answerFrom(
  servers: RpcServers,
  request: unknown,
  signal: AbortSignal,
): Promise<RpcAnswer> {
  try {
    const { method, given, cursor } = checkedRequest(request);
    return await translatedErrors(() => method({ ...readable(servers), cursor, signal }, given));
  } catch (error) {
    throw asRpcFailure(error);
  }
}

function checkedRequest(request: unknown) {
  if (!isFields(request)) throw refused('request', 'an object with method and arguments', request);
  const { method: name, arguments: given = {}, cursor } = request;
  const method = METHODS.get(name);
  if (!method) throw refused('method', `one of ${[...METHODS.keys()].join(', ')}`, name);
  if (cursor !== undefined && typeof cursor !== 'string') throw refused('cursor', 'a text', cursor);
  return { method, given, cursor };
}

const refused = (path: string, expected: string, got: unknown) =>
  new RefusedError(`${path}: expected ${expected}, got ${describeValue(got)}.`);

function readable(servers: RpcServers): Omit<RpcCall, 'cursor' | 'signal'> {
  const { settings, archiveStore } = servers;
  const { temporal: at, jobs } = settings;
  const sharedArchive = archiveStore && archiveIn(new NamedStore(archiveStore));
  return {
    ports: workerPorts(servers),
    configuration: jobs,
    dataConverter: at.dataConverter,
    archive: () => {
      if (!sharedArchive) throw withoutArchive();
      return ownArchive(sharedArchive, at.namespace);
    },
    sharedArchive,
  };
}

const withoutArchive = () =>
  new RefusedError('The workers archive nothing: SIGNALBOX_ARCHIVE_STORE is none.', {
    remedy: 'Set SIGNALBOX_ARCHIVE_STORE to files or s3 for the workers.',
  });
