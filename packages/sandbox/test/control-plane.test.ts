import { expect, it } from '@jest/globals';
import { launchApiServer } from '../supervisor/control-plane.ts';

it('the API server takes privileged containers, as those of all common distributions do', () => {
  const context = {
    launch: { programs: {}, ports: { kubernetes: 6443 }, options: {} },
    layout: { dir: '/sandbox', etcdSocket: '/sandbox/etcd.sock' },
    credentials: {},
  };
  expect(launchApiServer(context as never).args).toContain('--allow-privileged=true');
});
