import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aManifest, aName, type ClientStage, connect, openClientStage } from './client-stage.ts';

let stage: ClientStage;
beforeAll(async () => {
  stage = await openClientStage();
});
afterAll(() => stage.close());

/** A way to the server that can die without a word, as after the sleep of a laptop: nobody is told that it is closed. */
class MortalWay {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(port: number) {
    this.#server = createServer((from) => {
      const to = connectTo(port, '127.0.0.1');
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const) {
        this.#sockets.add(one);
        one.pipe(other);
        one.on('error', () => undefined);
      }
    });
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Nothing gets through the connections that there are. New ones work. */
  die(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

test('waiting gives up a dead connection, and continues with a new one', async () => {
  const way = new MortalWay(stage.server.port);
  const client = await connect(await way.open());
  const job = await client.submit(aManifest(aName(), 'Running'));
  const phases: string[] = [];
  const watching = (async () => {
    for await (const { phase } of job.watch()) phases.push(phase);
  })();
  const waiting = job.wait();
  while (!phases.includes('Running')) await job.status();
  way.die();
  await stage.temporal.workflow.getHandle(job.workflowId).signal('enter', 'Completed');
  expect(await waiting).toMatchObject({ phase: 'Completed' });
  await watching;
  expect(phases.at(-1)).toBe('Completed');
  await client.close();
  way.close();
});
