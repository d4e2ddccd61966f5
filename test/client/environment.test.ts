import { describe, expect, it } from '@jest/globals';
import { withEnvironment } from '../../client/servers/environment.ts';

describe('a client that is connected without settings', () => {
  it('takes the variables of the command line', () => {
    const env = {
      TEMPORAL_ADDRESS: 'temporal.example:7233',
      TEMPORAL_NAMESPACE: 'ml',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/ca.pem',
      TEMPORAL_TLS_SERVER_NAME: 'ml.temporal.example',
      SIGNALBOX_NAMESPACE: 'vision',
      SIGNALBOX_TASK_QUEUE: '',
      SIGNALBOX_LANES: 'signalbox-system/lanes',
    };
    expect(withEnvironment({}, env)).toEqual({
      temporal: {
        address: 'temporal.example:7233',
        namespace: 'ml',
        tls: {
          ...{ caFile: '/ca.pem', certFile: undefined, keyFile: undefined },
          serverName: 'ml.temporal.example',
        },
      },
      namespace: 'vision',
      taskQueue: undefined,
      lanes: { namespace: 'signalbox-system', name: 'lanes' },
    });
  });

  it('uses Temporal on this machine if there are none', () => {
    expect(withEnvironment({}, {}).temporal).toEqual({ address: 'localhost:7233', namespace: 'default' });
  });

  it('refuses lanes that are no name of a ConfigMap', () => {
    expect(() => withEnvironment({}, { SIGNALBOX_LANES: 'lanes' })).toThrow(
      'SIGNALBOX_LANES: expected NAMESPACE/NAME of a ConfigMap, got lanes.',
    );
  });

  it('keeps the settings of the program', () => {
    const temporal = { address: 'a:1', namespace: 'b' };
    const given = { temporal, namespace: 'c', taskQueue: 'd' };
    expect(withEnvironment(given, { TEMPORAL_ADDRESS: 'x:2', SIGNALBOX_NAMESPACE: 'y' })).toEqual(given);
  });
});
