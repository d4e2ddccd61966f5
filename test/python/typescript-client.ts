import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { SubmitOptions } from '../../client/servers/client-settings.ts';
import { manifestHashOf } from '../../contracts/manifest-hash.ts';

interface Call {
  readonly hash?: unknown;
  readonly cost?: { readonly workflowId: string; readonly prices: unknown };
  readonly submit?: { readonly manifest: unknown; readonly options: SubmitOptions };
}

/** Lets tests in another language use the TypeScript client, over HTTP on this machine. */
export class TypeScriptClient {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async serve(client: SignalboxClient): Promise<TypeScriptClient> {
    const server = createServer(async (request, response) => {
      const answer = await answerTo(client, request).catch((error: Error & { code?: string }) => ({
        code: error.code,
        message: error.message,
      }));
      response.end(JSON.stringify(answer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TypeScriptClient(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

async function answerTo(client: SignalboxClient, request: IncomingMessage): Promise<unknown> {
  const call = JSON.parse(await text(request)) as Call;
  if (call.cost) return client.job({ workflowId: call.cost.workflowId }).cost({ prices: call.cost.prices });
  if (!call.submit) return { hash: manifestHashOf(call.hash) };
  const job = await client.submit(call.submit.manifest as object, call.submit.options);
  return { workflowId: job.workflowId, runId: job.runId, submission: job.submission };
}
