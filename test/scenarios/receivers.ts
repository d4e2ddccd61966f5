import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** What a receiver was sent. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a receiver answers a path: with a status and headers, perhaps with what it was sent, or not at all. */
type Answer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly echoes?: boolean;
    }
  | 'hangs';

/** A real HTTP server that keeps what it gets. */
export class HttpReceiver {
  readonly received: Received[] = [];
  readonly #server: Server;
  readonly #answers = new Map<string, Answer>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', async (request, response) => {
      const path = request.url ?? '';
      const body = await text(request);
      this.received.push({ path, headers: request.headers, body });
      const answer = this.#answers.get(path) ?? { status: 200 };
      if (answer === 'hangs') return;
      const said = answer.echoes ? `${request.method} ${path} ${JSON.stringify(request.headers)}` : 'ok';
      response.writeHead(answer.status, answer.headers).end(said);
    });
  }

  static async start(): Promise<HttpReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HttpReceiver(server);
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  answer(path: string, answer: Answer): void {
    this.#answers.set(path, answer);
  }

  at(path: string): readonly Received[] {
    return this.received.filter((one) => one.path === path);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** A real SMTP server that keeps the mails it gets. */
export class MailReceiver {
  readonly mails: string[] = [];
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        void text(stream).then((mail) => {
          this.mails.push(mail);
          done();
        });
      },
    });
  }

  static async start(): Promise<MailReceiver> {
    const started = new MailReceiver();
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server.server, 'listening');
    return started;
  }

  get address(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
