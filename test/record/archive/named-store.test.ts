import { describe, expect, test } from '@jest/globals';
import { exitOfError } from '../../../cli/shell/exit-codes.ts';
import { NamedStore } from '../../../record/archive/named-store.ts';
import { S3ArchiveStore } from '../../../record/archive/s3-archive-store.ts';
import { freePort } from '../../../worker/free-port.ts';
import { MemoryStore } from '../log/memory-store.ts';
import { allOf } from './all-of.ts';

process.env.AWS_ACCESS_KEY_ID ??= 'nobody';
process.env.AWS_SECRET_ACCESS_KEY ??= 'in-particular';

describe('a store that is named in its errors', () => {
  test('behaves as the store behind it', async () => {
    const store = new NamedStore(new MemoryStore());
    expect(await store.create('a', Buffer.from('1'))).toBe(true);
    expect(await store.create('a', Buffer.from('2'))).toBe(false);
    await store.replace('b', Buffer.from('3'));
    expect(await allOf(store.list(''))).toEqual(['a', 'b']);
    await store.remove('b');
    expect([await store.read('a'), await store.read('b'), store.refOf('a')]).toEqual([
      Buffer.from('1'),
      undefined,
      'memory:a',
    ]);
  });

  test('says which store is unavailable', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const store = new NamedStore(new S3ArchiveStore({ store: 's3', bucket: 'jobs', endpoint }));
    for (const call of [() => store.read('a'), () => allOf(store.list('a'))]) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(String(error)).toContain('The archive in s3://jobs cannot be used: ');
      expect(exitOfError(error)).toBe('serverAway');
    }
    store.close();
  });
});
