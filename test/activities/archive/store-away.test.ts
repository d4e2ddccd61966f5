import { expect, it } from 'vitest';
import { inStore, StoreAwayError } from '../../../activities/archive/store-away.ts';
import { DamagedArchiveError } from '../../../record/archive/archive-errors.ts';
import { MemoryStore } from '../../record/log/memory-store.ts';

const failing = (error: Error) => inStore({ store: new MemoryStore() }, () => Promise.reject(error));

it('says what is wrong with the store', async () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const away = failing(error);
  await expect(away).rejects.toThrow('memory is full: ENOSPC: no space left on device, write');
  await expect(away).rejects.toBeInstanceOf(StoreAwayError);
});

it('does not take one damaged archive for a fault of the store', async () => {
  const error = new DamagedArchiveError('memory:jobs/a/job.json', 'expected JSON');
  await expect(failing(error)).rejects.toBe(error);
});
