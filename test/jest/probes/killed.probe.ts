import { it } from '@jest/globals';

it('kills its process', async () => {
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => undefined);
});
