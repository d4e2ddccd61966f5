import type { StoreSettings } from '../../contracts/settings.ts';
import type { ArchiveStore } from './archive-store.ts';
import { FileArchiveStore } from './file-archive-store.ts';
import { S3ArchiveStore } from './s3-archive-store.ts';

export const openArchiveStore = (settings: StoreSettings): ArchiveStore =>
  settings.store === 's3' ? new S3ArchiveStore(settings) : new FileArchiveStore(settings.directory);
