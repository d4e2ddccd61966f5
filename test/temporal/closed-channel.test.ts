import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect, it } from '@jest/globals';
import { connectTemporal } from '../../temporal/connection.ts';

it('a call that is retried after its connection was closed fails, and ends no process', async () => {
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
