import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Chance } from '../scenarios/chance.ts';
import { type ApiFault, type Asked, faultOf } from './api-faults.ts';
import { StreamFaults } from './stream-faults.ts';

export interface FaultyApiOptions {
  readonly server: string;
  readonly ca: string;
  readonly chance: Chance;
  readonly injected: (fault: string) => void;
}

/**
 * Stands before the API server, and answers some requests itself as an API server would that is overloaded, has lost
 * its etcd or its roles, or is told of a quota. Plain HTTP: what TLS would protect stays on this machine.
 */
export class FaultyApi {
  readonly #options: FaultyApiOptions;
  readonly #agent: Agent;
  readonly #server: Server;
  /** Of a thousand requests. */
  faultsPerMille = 0;
  readonly streams = new StreamFaults();

  private constructor(options: FaultyApiOptions) {
    this.#options = options;
    this.#agent = new Agent({ ca: options.ca, keepAlive: true });
    this.#server = createServer((from, to) => this.#answer(from, to));
  }

  static async open(options: FaultyApiOptions): Promise<FaultyApi> {
    const api = new FaultyApi(options);
    api.#server.listen(0, '127.0.0.1');
    await once(api.#server, 'listening');
    return api;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  #answer(from: IncomingMessage, to: ServerResponse): void {
    const asked = { method: from.method ?? 'GET', path: from.url ?? '/' };
    const { fault = this.#chosenFor(asked), afterMs = 0 } = this.streams.treat(asked);
    setTimeout(() => this.#answerWith(fault, { asked, from, to }), afterMs);
  }

  #chosenFor(asked: Asked): ApiFault | undefined {
    const { chance, injected } = this.#options;
    const fault = chance.between(0, 999) < this.faultsPerMille ? faultOf(asked, chance) : undefined;
    if (fault) injected(fault.name);
    return fault;
  }

  #answerWith(fault: ApiFault | undefined, exchange: Exchange): void {
    const { from, to } = exchange;
    if (fault && !fault.isDone) {
      from.resume();
      send(to, fault);
    } else this.#pass(exchange, fault);
  }

  /** With a fault, the answer to what was done all the same is lost. */
  #pass({ asked, from, to }: Exchange, fault: ApiFault | undefined): void {
    const { method, headers, url = '/' } = from;
    const onward = request(
      new URL(url, this.#options.server),
      { method, headers, agent: this.#agent },
      (answer) => {
        answer.on('error', () => to.destroy());
        if (fault) {
          answer.resume();
          return send(to, fault);
        }
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        to.flushHeaders();
        answer.pipe(to);
        this.streams.opened(asked, answer, to);
      },
    );
    // As if the API server itself had hung up.
    onward.on('error', () => to.destroy());
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  }
}

interface Exchange {
  readonly asked: Asked;
  readonly from: IncomingMessage;
  readonly to: ServerResponse;
}

function send(to: ServerResponse, { status, headers, body }: ApiFault): void {
  if (to.destroyed) return;
  to.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
