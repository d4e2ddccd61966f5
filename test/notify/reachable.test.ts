import { describe, expect, it } from '@jest/globals';
import { ForbiddenAddressError, ReachableAddresses } from '../../notify/delivery/reachable.ts';

/** As `new URL` writes the host of each. */
const hostOf = (address: string) => new URL(`http://${address}/`).hostname;
const none = new ReachableAddresses([]);

describe('what no message is sent to', () => {
  it.each([
    ...['127.0.0.1', '0x7f.1', '2130706433', '0177.0.0.1', '127.1', '0.0.0.0', 'localhost'],
    ...[
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '198.18.0.1',
    ],
    ...['224.0.0.1', '255.255.255.255', '240.0.0.1', '192.0.2.1'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[fe80::1]', '[fd00::1]', '[ff02::1]'],
    ...[
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::1]',
      '[2002:7f00:1::]',
      '[2001::1]',
      '[2001:db8::1]',
      '[::127.0.0.1]',
    ],
  ])('%s', async (address) => {
    await expect(none.find(hostOf(address))).rejects.toThrow(ForbiddenAddressError);
  });
});

describe('what a message is sent to', () => {
  it.each(['93.184.216.34', '[2606:2800:220:1:248:1893:25c8:1946]', '172.32.0.1', '100.128.0.1'])(
    '%s',
    async (address) => {
      expect(await none.find(hostOf(address))).toMatchObject([{ isAllowed: false }]);
    },
  );

  it('what an installation allows, and nothing beside it', async () => {
    const some = new ReachableAddresses(['10.0.0.0/8', '127.0.0.1', 'fd00:1::/32']);
    expect(await some.find('10.9.9.9')).toEqual([{ address: '10.9.9.9', family: 4, isAllowed: true }]);
    expect(await some.find('[fd00:1::2]')).toMatchObject([{ isAllowed: true }]);
    await expect(some.find('127.0.0.2')).rejects.toThrow('allow');
    await expect(some.find('[fd01::2]')).rejects.toThrow('no public address');
  });
});
