import type { EvidenceSettings } from '../contracts/settings.ts';
import { FileStore } from './file-store.ts';
import { S3Store } from './s3-store.ts';
import type { EvidenceStore } from './store.ts';

export const openEvidenceStore = (settings: EvidenceSettings): EvidenceStore =>
  settings.store === 's3' ? new S3Store(settings) : new FileStore(settings.directory);
