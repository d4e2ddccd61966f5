import { expect, test } from '@jest/globals';
import { missingOf } from '../../../scripts/image/requirements.ts';

test('what is missing is told with the Debian package that has it', () => {
  const needed = { sh: 'dash', 'dpkg-deb': 'dpkg', '/nowhere/keys.gpg': 'debian-archive-keyring' };
  expect(missingOf({ sh: 'dash' }, '/nowhere:/bin')).toEqual([]);
  expect(missingOf(needed, '/nowhere')).toEqual([
    'sh is missing: apt-get install dash',
    'dpkg-deb is missing: apt-get install dpkg',
    '/nowhere/keys.gpg is missing: apt-get install debian-archive-keyring',
  ]);
});
