import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { type ReadOptions, readLogFile } from './log-reader.ts';
import type { LogWriter } from './log-writer.ts';

export interface LogFile {
  readonly path: string;
  /** Set while the container runs. */
  readonly writer?: LogWriter;
}

/** Returns a container's log, or the kubelet's message why there is none. */
export type FindLog = (
  of: { readonly namespace: string; readonly pod: string; readonly container: string },
  previous: boolean,
) => LogFile | string;

interface LogServer {
  readonly port: number;
  close(): void;
}

const HOST = '127.0.0.1';

/**
 * The one part of the kubelet's HTTPS endpoint that the API server needs for `pods/log`. It listens on the loopback
 * interface only; with a `ca` it also asks for a client certificate, as `--client-ca-file` does for a kubelet.
 */
export async function startLogServer(
  tls: Pick<ServerOptions, 'cert' | 'key' | 'ca'>,
  find: FindLog,
  port = 0,
): Promise<LogServer> {
  const auth = tls.ca ? { requestCert: true, rejectUnauthorized: true } : {};
  const server: Server = createServer({ ...tls, ...auth }, (request, response) => {
    answer(request, response, find).catch(() => response.destroy()); // the reader has disconnected
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, find: FindLog): Promise<void> {
  const url = new URL(request.url ?? '/', `https://${HOST}`);
  const [, route, ...names] = url.pathname.split('/').map(decodeURIComponent);
  const [namespace, pod, container] = names;
  if (request.method !== 'GET' || route !== 'containerLogs' || !namespace || !pod || !container) {
    return refuse(response, 404, `expected GET /containerLogs/{namespace}/{pod}/{container}`);
  }
  const log = find({ namespace, pod, container }, url.searchParams.get('previous') === 'true');
  if (typeof log === 'string') return refuse(response, 400, log);
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.flushHeaders();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  await pipeline(
    readLogFile(log.path, { ...readOptions(url.searchParams, log), signal: gone.signal }),
    response,
  );
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(message);
}

/** The query of the kubelet's endpoint: PodLogOptions of core/v1. */
function readOptions(query: URLSearchParams, log: LogFile): ReadOptions {
  const number = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  const sinceSeconds = number('sinceSeconds');
  const sinceTime = query.get('sinceTime');
  const stream = query.get('stream')?.toLowerCase();
  return {
    tailLines: number('tailLines'),
    limitBytes: number('limitBytes'),
    timestamps: query.get('timestamps') === 'true',
    since:
      sinceSeconds !== undefined
        ? new Date(Date.now() - sinceSeconds * 1000)
        : sinceTime
          ? new Date(sinceTime)
          : undefined,
    stream: stream === 'stdout' || stream === 'stderr' ? stream : undefined,
    follow: query.get('follow') === 'true' ? log.writer : undefined,
  };
}
