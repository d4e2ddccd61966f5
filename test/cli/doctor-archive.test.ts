import { expect, test } from '@jest/globals';
import { archiveFindings } from '../../cli/doctor/archive-checks.ts';
import type { Finding } from '../../cli/doctor/finding.ts';
import { resolveSettings } from '../../cli/settings/settings.ts';

test('signalbox doctor warns of an installation without an archive', async () => {
  const env = { SIGNALBOX_ARCHIVE_STORE: 'none' };
  const settings = resolveSettings({ flags: {}, env, sandbox: () => undefined });
  const findings: Finding[] = [];
  for await (const finding of archiveFindings(settings, 'worker')) findings.push(finding);
  expect(findings).toMatchObject([
    {
      state: 'warning',
      message: expect.stringContaining('forgotten'),
      remedy: expect.stringContaining('docs/archive.md'),
    },
  ]);
});
