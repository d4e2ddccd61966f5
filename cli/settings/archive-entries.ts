import { ARCHIVE_STORES } from '../../contracts/settings.ts';
import { defaultArchive } from '../../evidence/default-directories.ts';
import { bucketName, choice, matching, type SettingEntry, text, webAddress } from './setting-entry.ts';

/** Settings of the archive; docs/archive.md. */
export const ARCHIVE_ENTRIES = {
  archiveStore: {
    flag: '--archive-store <kind>',
    env: 'SIGNALBOX_ARCHIVE_STORE',
    expected: ARCHIVE_STORES.join(', '),
    meaning: 'worker and readers: where ended jobs are archived',
    choices: ARCHIVE_STORES,
    parse: choice(ARCHIVE_STORES),
    default: 'files',
  },
  archiveDir: {
    flag: '--archive-dir <path>',
    env: 'SIGNALBOX_ARCHIVE_DIR',
    expected: 'the path of a directory',
    meaning:
      'directory of the store `files`; by default `$XDG_STATE_HOME/signalbox/archive`, else `~/.local/state/signalbox/archive`; with a sandbox, in its folder',
    parse: text,
    defaultFrom: defaultArchive,
  },
  archiveBucket: {
    env: 'SIGNALBOX_ARCHIVE_BUCKET',
    expected: 'the name of a bucket',
    meaning: 'bucket of the store `s3`; must exist',
    parse: bucketName,
  },
  archivePrefix: {
    env: 'SIGNALBOX_ARCHIVE_PREFIX',
    expected: 'a prefix',
    meaning: 'prefix of the keys in the bucket',
    parse: text,
  },
  archiveRegion: {
    env: 'SIGNALBOX_ARCHIVE_REGION',
    expected: 'the name of a region',
    meaning: 'region of the bucket; by default as the AWS tools find it',
    parse: text,
  },
  archiveEndpoint: {
    env: 'SIGNALBOX_ARCHIVE_ENDPOINT',
    expected: 'http://host:port or https://host:port',
    meaning: 'S3 server other than Amazon’s; it must refuse to overwrite an object (`If-None-Match`)',
    parse: webAddress,
  },
  archiveName: {
    env: 'SIGNALBOX_ARCHIVE_NAME',
    expected: 'a name like signalbox.example/archive, without spaces and plus signs',
    meaning: 'name of the archive’s log and of its key',
    // Both have a meaning in the files of the log.
    parse: matching(/^[^\s+\p{Cc}]{1,200}$/u),
    default: 'signalbox.local/archive',
  },
  archiveKey: {
    env: 'SIGNALBOX_ARCHIVE_KEY',
    expected: 'a private Ed25519 key in PEM (PKCS 8), or the path of a file with it',
    meaning: 'worker: signs the log; for `files` one is made beside the directory, for `s3` it must be set',
    parse: text,
    secret: true,
  },
  archivePublicKey: {
    env: 'SIGNALBOX_ARCHIVE_PUBLIC_KEY',
    expected: 'a verifier key like NAME+HEX+BASE64, or several with spaces between them',
    meaning: 'readers without the private key verify the log with it',
    parse: matching(/^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+( [^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+)*$/),
  },
} as const satisfies Record<string, SettingEntry>;
