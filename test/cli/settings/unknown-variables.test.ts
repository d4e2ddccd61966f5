import { expect, it } from '@jest/globals';
import { SETTINGS } from '../../../cli/settings/settings-table.ts';
import { unknownVariables } from '../../../cli/settings/unknown-variables.ts';
import { commandLine } from '../in-process.ts';

it('a variable that nothing reads is named, with the one that was probably meant', () => {
  const env = { SIGNALBOX_ARCHIVE_BUKET: 'a', SIGNALBOX_BRIDEG: 'true', SIGNALBOX_XYZZY: '1', HOME: '/' };
  expect(unknownVariables(env)).toEqual([
    'SIGNALBOX_ARCHIVE_BUKET, did you mean SIGNALBOX_ARCHIVE_BUCKET?',
    'SIGNALBOX_BRIDEG, did you mean SIGNALBOX_BRIDGE?',
    'SIGNALBOX_XYZZY',
  ]);
});

it('settings, contexts and addresses of Services are known', () => {
  const settings = Object.values(SETTINGS).map(({ env }) => [env, 'x']);
  const service = {
    SIGNALBOX_SERVICE_HOST: '10.0.0.1',
    SIGNALBOX_SERVICE_PORT: '80',
    SIGNALBOX_SERVICE_PORT_HTTP: '80',
    SIGNALBOX_PORT: 'tcp://10.0.0.1:80',
    SIGNALBOX_PORT_80_TCP_ADDR: '10.0.0.1',
  };
  const env = { ...Object.fromEntries(settings), ...service, SIGNALBOX_CONTEXT: 'prod' };
  expect(unknownVariables(env)).toEqual([]);
});

it.each([
  ['config', 'stderr', 'warning: '],
  ['doctor', 'stdout', ''],
] as const)('%s names a variable that nothing reads', async (command, where, before) => {
  const env = {
    SIGNALBOX_ARCHIVE_BUKET: 'records',
    SIGNALBOX_KUBECONFIG: '/nowhere/kubeconfig',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
  };
  const said = await commandLine([command], { env });
  expect(said[where]).toContain(
    `${before}nothing reads SIGNALBOX_ARCHIVE_BUKET, did you mean SIGNALBOX_ARCHIVE_BUCKET?`,
  );
});
