import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type ControlAnswer, type ControlRequest, controlRequestSchema } from '../control.ts';
import { SandboxError } from '../errors.ts';

/** A Unix socket: only this user may connect, and it needs no port. */
export async function serveControl(
  path: string,
  handle: (request: ControlRequest) => Promise<string[]>,
): Promise<Server> {
  rmSync(path, { force: true }); // left by a supervisor that was killed
  const server = createServer((request, response) => {
    void answer(request, handle).then((result) => response.end(JSON.stringify(result)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return server;
}

async function answer(
  request: IncomingMessage,
  handle: (request: ControlRequest) => Promise<string[]>,
): Promise<ControlAnswer> {
  try {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    return { ok: true, nodes: await handle(controlRequestSchema.parse(JSON.parse(body))) };
  } catch (error) {
    const remedy =
      error instanceof SandboxError ? error.remedy : 'see `signalbox sandbox status` and the logs it names';
    return { ok: false, message: error instanceof Error ? error.message : String(error), remedy };
  }
}
