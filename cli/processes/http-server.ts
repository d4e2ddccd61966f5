import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorMessage } from '../../language/error-message.ts';
import { UsageError } from '../shell/errors.ts';
import { joinedPages } from './metrics-page.ts';

interface HttpServer {
  /** `http://host:port` with the actual port. */
  readonly address: string;
  close(): Promise<void>;
}

/** Serves health for Kubernetes probes and metrics for Prometheus. */
export async function startHttp(
  { host, port }: { readonly host: string; readonly port: number },
  { unready, impaired, metrics }: Health,
): Promise<HttpServer> {
  const { register, collectDefaultMetrics } = await import('prom-client');
  collectDefaultMetrics({ register });
  const routes: Record<string, () => Promise<Answer> | Answer> = {
    '/healthz': () => ({ status: 200, body: 'ok\n' }),
    '/readyz': () => {
      const reason = unready();
      const without = impaired();
      if (reason) return { status: 503, body: `${reason}\n` };
      return { status: 200, body: without ? `ok, but ${without}\n` : 'ok\n' };
    },
    '/metrics': async () => {
      const body = joinedPages([await register.metrics(), ...(await metrics())]);
      return { status: 200, body, type: register.contentType };
    },
  };
  const server = createServer((request, response) => void answer(routes, request, response));
  await listen(server, host, port);
  const { port: chosen } = server.address() as AddressInfo;
  return { address: `http://${host}:${chosen}`, close: () => closeServer(server) };
}

interface Health {
  readonly unready: () => string | undefined;
  /** What a ready process runs without. */
  readonly impaired: () => string | undefined;
  readonly metrics: () => Promise<readonly string[]>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

async function answer(
  routes: Readonly<Record<string, () => Promise<Answer> | Answer>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = routes[(request.url ?? '').split('?')[0] ?? ''];
  const { status, body, type = 'text/plain; charset=utf-8' } = await answerOf(route);
  response.writeHead(status, { 'content-type': type }).end(body);
}

async function answerOf(route: (() => Promise<Answer> | Answer) | undefined): Promise<Answer> {
  if (!route) return { status: 404, body: 'The paths are /healthz, /readyz and /metrics.\n' };
  try {
    return await route();
  } catch (error) {
    return { status: 500, body: `${errorMessage(error)}\n` };
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const what = cause.code === 'EADDRINUSE' ? 'another process already listens there' : cause.message;
      const remedy = 'Choose another with --http-port or SIGNALBOX_HTTP_PORT; 0 takes any free one.';
      reject(new UsageError(`Cannot listen at ${host}:${port}: ${what}.`, { cause, remedy }));
    });
    server.listen(port, host, resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
