import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { NativeConnection } from '@temporalio/worker';
import { connectionOptions, connectTemporal } from '../../temporal/connection.ts';

/** Whom a client wants to speak to is in its first message; here nobody answers it. */
async function nameAskedFor(connect: (address: string) => Promise<unknown>): Promise<string> {
  let asked = (_name: string): void => {};
  const name = new Promise<string>((resolve) => {
    asked = resolve;
  });
  const server = createServer({
    SNICallback: (servername, answer) => {
      asked(servername);
      answer(new Error('no certificate'));
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await expect(connect(`localhost:${port}`)).rejects.toThrow();
    return await name;
  } finally {
    server.close();
  }
}

const settings = (address: string) => ({
  ...{ address, namespace: 'default' },
  tls: { serverName: 'ml.temporal.example' },
});

test('a client asks for the name that the settings say is in the certificate', async () => {
  const connect = (address: string) => connectTemporal(settings(address), { connectTimeout: 1_000 });
  expect(await nameAskedFor(connect)).toBe('ml.temporal.example');
});

test('so does a worker', async () => {
  const connect = (address: string) => NativeConnection.connect(connectionOptions(settings(address)));
  expect(await nameAskedFor(connect)).toBe('ml.temporal.example');
});

test('a call that is retried after its connection was closed fails, and ends no process', async () => {
  // It knows no method, which is enough of a server to connect to.
  const server = new Server();
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const client = await connectTemporal({ address: `127.0.0.1:${port}`, namespace: 'default' });
  server.forceShutdown();
  const call = client.workflow.getHandle('any').describe();
  await client.connection.close();
  await expect(call).rejects.toThrow();
});
