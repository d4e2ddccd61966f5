import { expect, it } from '@jest/globals';
import { signalbox } from '../process.ts';

/** What commands say of a variable that nothing reads. No server answers. */

const env = {
  SIGNALBOX_ARCHIVE_BUKET: 'records',
  SIGNALBOX_KUBECONFIG: '/nowhere/kubeconfig',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
};
const NAMED = 'nothing reads SIGNALBOX_ARCHIVE_BUKET, did you mean SIGNALBOX_ARCHIVE_BUCKET?';

it.each([
  ['config', 'warning: '],
  ['worker --http-port 0', '"msg":"'],
])('%s names it', async (command, before) => {
  const { stderr } = await signalbox(command.split(' '), { env });
  expect(stderr).toContain(before + NAMED);
});

it('doctor names it', async () => {
  const { stdout } = await signalbox(['doctor'], { env });
  expect(stdout).toContain(NAMED);
});
