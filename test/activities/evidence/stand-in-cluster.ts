import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClusterClient } from '../../../cluster/client.ts';

/** What the API server answers to a path: an object, a text, a refusal, or the beginning of one; nothing for `silent`. */
export type Answer =
  | { readonly object: unknown }
  | { readonly text: string }
  | { readonly refused: number; readonly message: string }
  /** With this status; the connection is gone in the middle of it. */
  | { readonly breaksOff: number }
  | 'silent';

export interface StandInCluster {
  readonly cluster: ClusterClient;
  /** Paths that were asked for, in their order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Answers as an API server in states that no sandbox can be brought into: a kubelet that hangs, a right that is missing. */
export async function standInCluster(
  answer: (path: string, query: URLSearchParams) => Answer,
): Promise<StandInCluster> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any');
    asked.push(pathname);
    send(response, answer(pathname, searchParams));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cluster = new ClusterClient({
    server: `http://127.0.0.1:${port}`,
    namespace: 'ml',
    tls: async () => ({}),
    headers: async () => ({}),
  });
  const close = async () => {
    await cluster.close();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { cluster, asked, close };
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer === 'silent') return;
  if ('breaksOff' in answer) breakOff(response, answer.breaksOff);
  else if ('text' in answer) response.end(answer.text);
  else if ('object' in answer) response.end(JSON.stringify(answer.object));
  else response.writeHead(answer.refused).end(JSON.stringify({ reason: 'Refused', message: answer.message }));
}

function breakOff(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"type": "ADDED", ', () => response.destroy());
}
