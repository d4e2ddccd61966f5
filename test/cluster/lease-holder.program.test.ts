import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterEach, expect, it } from '@jest/globals';
import { hasHolderEnded, leaseIdentity } from '../../cluster/lease-holder.ts';

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

(process.platform === 'linux' ? it : it.skip)(
  'the holder of a lease has ended when its process was killed',
  async () => {
    child = spawn('sleep', ['600']);
    await once(child, 'spawn');
    const identity = leaseIdentity(child.pid);
    expect(identity.startsWith(`${hostname()}_`)).toBe(true);
    expect(hasHolderEnded(identity)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(hasHolderEnded(identity)).toBe(true);
  },
);

it('no other holder counts as ended: this process, another boot, PID namespace or host, or one without an identity', () => {
  const own = leaseIdentity();
  const [host, uuid, boot, namespace, , start] = own.split('_');
  const ended = [host, uuid, boot, namespace, process.pid, '1'];
  const others = [
    own,
    [host, uuid].join('_'),
    ended.with(2, '00000000-0000-0000-0000-000000000000').join('_'),
    ended.with(3, '1').join('_'),
    `other_${uuid}`,
  ];
  expect(others.map(hasHolderEnded)).toEqual(others.map(() => false));
  if (start !== undefined) expect(hasHolderEnded(ended.join('_'))).toBe(true);
});
