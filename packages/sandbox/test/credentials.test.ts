import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { sandboxLayout } from '../layout.ts';
import { ensureCredentials, readCertificate } from '../supervisor/credentials.ts';
import { emptyDir, removeEmptyDirs } from './support.ts';

const WHOLE = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

afterAll(removeEmptyDirs);

test('a certificate is read only after the API server has written all of it', async () => {
  const credentials = ensureCredentials(sandboxLayout(await emptyDir()));
  expect(() => readCertificate(credentials)).toThrow('ENOENT');
  await mkdir(dirname(credentials.certificate));
  for (const part of ['', WHOLE.slice(0, 40)]) {
    await writeFile(credentials.certificate, part);
    expect(() => readCertificate(credentials)).toThrow('expected a whole certificate');
  }
  await writeFile(credentials.certificate, WHOLE);
  expect(readCertificate(credentials)).toBe(WHOLE);
});
