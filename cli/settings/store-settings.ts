import type { ArchiveSettings, EvidenceSettings } from '../../contracts/settings.ts';
import type { SettingValues } from './settings-table.ts';

/** Where evidence and archive are, as the settings say. */

export function evidenceOf(values: SettingValues): EvidenceSettings {
  if (values.evidenceStore === 'files') return { store: 'files', directory: values.evidenceDir! };
  return {
    store: 's3',
    bucket: values.evidenceBucket!,
    prefix: values.evidencePrefix,
    region: values.evidenceRegion,
    endpoint: values.evidenceEndpoint,
  };
}

export function archiveOf(values: SettingValues): ArchiveSettings {
  const { archiveName: name, archiveKey: key, archivePublicKey: publicKey } = values;
  return { store: archiveStoreOf(values), name: name!, key, publicKey };
}

function archiveStoreOf(values: SettingValues): ArchiveSettings['store'] {
  if (values.archiveStore === 'none') return undefined;
  if (values.archiveStore === 'files') return { store: 'files', directory: values.archiveDir! };
  return {
    store: 's3',
    bucket: values.archiveBucket!,
    prefix: values.archivePrefix,
    region: values.archiveRegion,
    endpoint: values.archiveEndpoint,
  };
}

/** Returns what is missing for a store. */
export const storeFaults = (values: SettingValues): string[] =>
  (['evidence', 'archive'] as const)
    .filter((what) => values[`${what}Store`] === 's3' && !values[`${what}Bucket`])
    .map(
      (what) =>
        `SIGNALBOX_${what.toUpperCase()}_BUCKET: expected the name of a bucket for the ${what} store s3, got none`,
    );
